"""A mail server on loopback for tests: says its port, then one JSON line a mail. Modes on the command line:
plain, starttls CERT KEY, smtps CERT KEY; with a trailing auth it wants user 'anna', password 'pass word'.
Recipients steer it: 4xx@, 5xx@ are answered so; slow-rcpt@ is answered after a minute, a mail to slow-data@ is, and
after one to mute@ or 5xx.mute@ QUIT is; it says {"waits": …} when it begins to."""
import asyncio
import json
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult


async def wait(where):
    print(json.dumps({"waits": where}), flush=True)
    await asyncio.sleep(60)


class Server(SMTP):
    async def smtp_QUIT(self, arg):
        if getattr(self.session, "mute", False):
            await asyncio.sleep(60)
        await super().smtp_QUIT(arg)


class Sink:
    async def handle_RCPT(self, server, session, envelope, address, options):
        if "mute" in address:
            session.mute = True
        if address.startswith("4xx@"):
            return "451 4.7.1 come back later"
        if address.startswith("5xx"):
            return "550 5.1.1 no such user"
        if address.startswith("slow-rcpt@"):
            await wait("rcpt")
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if envelope.rcpt_tos[0].startswith("slow-data@"):
            await wait("data")
        print(json.dumps({"from": envelope.mail_from, "to": envelope.rcpt_tos,
                          "text": envelope.content.decode("ascii"),
                          "helo": session.host_name, "tls": server.transport.get_extra_info("ssl_object") is not None,
                          "user": getattr(session.auth_data, "login", b"").decode()}), flush=True)
        return "250 taken"


def authenticate(server, session, envelope, mechanism, data):
    good = data.login == b"anna" and data.password == b"pass word"
    return AuthResult(success=good, handled=False if not good else True, auth_data=data)


async def main():
    mode, *rest = sys.argv[1:]
    context = None
    if mode != "plain":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(rest[0], rest[1])
    wants_auth = "auth" in rest

    def make():
        return Server(Sink(), hostname="test", enable_SMTPUTF8=False,
                    tls_context=context if mode == "starttls" else None, require_starttls=False,
                    auth_required=wants_auth, auth_require_tls=False,
                    authenticator=authenticate if wants_auth else None)

    server = await asyncio.get_running_loop().create_server(
        make, "127.0.0.1", 0, ssl=context if mode == "smtps" else None)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


asyncio.run(main())
