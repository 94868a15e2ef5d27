// Boost.Beast's request parser, which keeps nothing but the body. Included by http_parser.cpp alone, because
// Beast is slow to compile.
#pragma once

// Beast 1.81 asserts at least five bytes where "0\r\n" and one byte more have arrived: an assertion that any
// client could fail. Without it the code does the right thing.
#define BOOST_DISABLE_ASSERTS
#include <boost/beast/http/basic_parser.hpp>

#include <string>

namespace redrive {

class BeastParser final : public boost::beast::http::basic_parser<true>
{
public:
    using error_code = boost::beast::error_code;
    using string_view = boost::beast::string_view;
    using verb = boost::beast::http::verb;
    using field = boost::beast::http::field;

    BeastParser(std::string& body, std::uint32_t headerLimit) : m_body(body)
    {
        header_limit(headerLimit);
        body_limit(boost::none);
        eager(true);
    }

    bool dropBody = false;
    qint64 received = 0;

private:
    static constexpr std::size_t kMaxExtension = 1024;
    static constexpr std::size_t kMaxTrailer = 8192;

    void on_request_impl(verb, string_view, string_view, int, error_code& ec) override { ec = {}; }
    void on_response_impl(int, string_view, int, error_code& ec) override { ec = {}; }
    void on_field_impl(field, string_view name, string_view value, error_code& ec) override
    {
        ec = {};
        if (!m_headDone)
            return;
        m_trailer += name.size() + value.size();
        if (m_trailer > kMaxTrailer)
            ec = boost::beast::http::error::header_limit;
    }
    void on_header_impl(error_code& ec) override
    {
        ec = {};
        m_headDone = true;
    }
    void on_body_init_impl(boost::optional<std::uint64_t> const&, error_code& ec) override { ec = {}; }
    std::size_t on_body_impl(string_view bytes, error_code& ec) override
    {
        ec = {};
        return keep(bytes);
    }
    void on_chunk_header_impl(std::uint64_t, string_view extensions, error_code& ec) override
    {
        ec = {};
        if (extensions.size() > kMaxExtension)
            ec = boost::beast::http::error::bad_chunk_extension;
    }
    std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, error_code& ec) override
    {
        ec = {};
        return keep(bytes);
    }
    void on_finish_impl(error_code& ec) override { ec = {}; }

    std::size_t keep(string_view bytes)
    {
        received += qint64(bytes.size());
        if (!dropBody)
            m_body.append(bytes.data(), bytes.size());
        return bytes.size();
    }

    std::string& m_body;
    bool m_headDone = false;
    std::size_t m_trailer = 0;
};

} // namespace redrive
