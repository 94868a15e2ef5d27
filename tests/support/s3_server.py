#!/usr/bin/python3
"""A bucket service for tests: takes PUT, and checks each AWS Signature Version 4 from the raw request.

s3_server.py REGION ACCESS_KEY SECRET_KEY [FAILURES]: the first FAILURES requests are answered 503. Prints its
port, then one JSON line a request: what was asked, whether and why not it was accepted, and the body's SHA-256.
Source: docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
"""
import datetime
import hashlib
import hmac
import http.server
import json
import re
import sys
import urllib.parse

REGION, ACCESS_KEY, SECRET_KEY = sys.argv[1:4]
failures = int(sys.argv[4]) if len(sys.argv) > 4 else 0
AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/([^/]+)/aws4_request, "
    r"SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})")
LARGEST_SKEW = datetime.timedelta(minutes=15)


def sign(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signature_of(date, region, scope, stamp, canonical):
    key = sign(sign(sign(sign(("AWS4" + SECRET_KEY).encode(), date), region), "s3"), "aws4_request")
    hashed = hashlib.sha256(canonical.encode()).hexdigest()
    return sign(key, "\n".join(["AWS4-HMAC-SHA256", stamp, scope, hashed])).hex()


class Bucket(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def judge(self, body):
        """Code and words of a refusal, or None."""
        match = AUTHORIZATION.fullmatch(self.headers.get("Authorization", ""))
        if not match:
            return "AccessDenied", "no signature"
        access, date, region, service, signed, given = match.groups()
        if access != ACCESS_KEY:
            return "InvalidAccessKeyId", f"there is no key {access}"
        if (region, service) != (REGION, "s3"):
            return "AuthorizationHeaderMalformed", f"wrong scope {region}/{service}"
        names = signed.split(";")
        if names != sorted(names) or not {"host", "x-amz-date", "x-amz-content-sha256"} <= set(names):
            return "AccessDenied", f"signed headers {signed}"
        stamp = self.headers["x-amz-date"]
        sent = datetime.datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
        if not stamp.startswith(date) or abs(datetime.datetime.now(datetime.timezone.utc) - sent) > LARGEST_SKEW:
            return "RequestTimeTooSkewed", stamp
        if self.headers["x-amz-content-sha256"] != hashlib.sha256(body).hexdigest():
            return "XAmzContentSHA256Mismatch", "the hash is not the body's"
        path, _, query = self.path.partition("?")
        quoted = urllib.parse.quote(urllib.parse.unquote(path), safe="/-_.~")
        values = "".join(f"{name}:{' '.join(self.headers[name].split())}\n" for name in names)
        canonical = "\n".join([self.command, quoted, query, values, signed,
                               self.headers["x-amz-content-sha256"]])
        expected = signature_of(date, region, f"{date}/{region}/s3/aws4_request", stamp, canonical)
        if not hmac.compare_digest(expected, given):
            return "SignatureDoesNotMatch", f"the secret of {access} is another one"
        return None

    def do_PUT(self):
        global failures
        body = self.rfile.read(int(self.headers["Content-Length"]))
        refusal = self.judge(body)
        status = 403 if refusal else 200
        if failures > 0:
            failures -= 1
            refusal, status = ("SlowDown", "reduce your request rate"), 503
        print(json.dumps({"method": self.command, "path": self.path, "bytes": len(body),
                          "sha256": hashlib.sha256(body).hexdigest(), "type": self.headers.get("Content-Type"),
                          "refusal": refusal[0] if refusal else None}), flush=True)
        answer = b""
        if refusal:
            answer = f"<?xml version=\"1.0\"?><Error><Code>{refusal[0]}</Code><Message>{refusal[1]}</Message></Error>".encode()
        self.send_response(status)
        if not refusal:
            self.send_header("ETag", f'"{hashlib.md5(body).hexdigest()}"')
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bucket)
print(server.server_address[1], flush=True)
server.serve_forever()
