// The yardstick: Fastify alone, answering one text. Started by the benchmarks with PORT and BODY_FILE set.
import { readFileSync } from 'node:fs';
import fastify from 'fastify';

const body = readFileSync(process.env.BODY_FILE, 'utf8');
const app = fastify();
app.get('/*', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=UTF-8').send(body);
});
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.stdout.write('listening\n');
