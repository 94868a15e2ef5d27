// A webhook receiver whose verifier is not ours: the npm package standardwebhooks. Prints its port, then one
// JSON line for each request: which of the secrets in SECRETS ({"name": "whsec_…"}) it accepts.
const { createServer } = require("node:http");
const { Webhook } = require("standardwebhooks");

const verifiers = Object.entries(JSON.parse(process.env.SECRETS)).map(([name, secret]) => [name, new Webhook(secret)]);

function accepts(verifier, body, headers) {
  try {
    verifier.verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

const server = createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts).toString("utf8");
    const accepted = verifiers.filter(([, verifier]) => accepts(verifier, body, request.headers)).map(([name]) => name);
    response.end("ok");
    console.log(JSON.stringify({ id: request.headers["webhook-id"], accepted }));
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
process.stdin.on("end", () => process.exit(0)).resume(); // whoever started it is gone
