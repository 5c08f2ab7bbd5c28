// The yardstick: Fastify alone, answering some texts in turn. Started by the benchmarks with PORT and BODIES_FILE set.
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

const bodies = JSON.parse(readFileSync(process.env.BODIES_FILE, 'utf8'));
let at = 0;
const app = fastify();
app.get('/*', (_request, reply) => {
  at = (at + 1) % bodies.length;
  reply.header('content-type', 'application/json; charset=UTF-8').send(bodies[at]);
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.stdout.write('listening\n');
