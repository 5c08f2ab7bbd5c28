// `WEBHOOK_SECRET=whsec_… npm run example:receiver`: receives deliveries of webhooks, verifies them, and drops those that came
// before. A start for a receiver of your own; it needs nothing of Daybook.
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET: secret, PORT: port = '8787' } = process.env;
const MAX_BYTES = 10_000_000;
/** In a receiver of your own: in its database, in the transaction that does the work. */
const seen = new Set();

if (!secret) {
  console.error('Set WEBHOOK_SECRET to the secret that the creation of the webhook has shown (whsec_…).');
  process.exit(2);
}
const webhook = new Webhook(secret);

async function textOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error('the delivery is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The status of the answer. Only 200 to 299 means that the delivery need not come again. */
async function receive(request) {
  if (request.method !== 'POST') return 405;
  const text = await textOf(request);
  let delivery;
  try {
    // Signature and age; of the text as it came, not of what a parser makes of it.
    delivery = webhook.verify(text, request.headers);
  } catch (error) {
    console.error(`refused: ${error.message}`);
    return 401;
  }
  const id = request.headers['webhook-id'];
  if (seen.has(id)) {
    console.log(`${id} came before`);
    return 204;
  }
  const { change, resource } = delivery.data;
  console.log(`${id} ${delivery.type} ${change ? `${change.url}: ${change.summary}` : ''}`);
  // `resource` is what has changed as it is now; null: it is not there, or not to be read by the webhook's user.
  if (change && resource === null) console.log('  forget what you have of it');
  seen.add(id);
  return 204;
}

const server = createServer((request, response) => {
  receive(request).then(
    (status) => response.writeHead(status).end(),
    (error) => {
      console.error(error.message);
      response.writeHead(500).end();
    },
  );
});
server.listen(Number(port), '127.0.0.1', () => console.log(`receiving at http://127.0.0.1:${server.address().port}/`));
