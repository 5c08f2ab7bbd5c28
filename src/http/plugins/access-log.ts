// Hands each answer to the access log, whatever answered: API, pages, probes.
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import type { Access, AccessLog } from '../../observability/access-log.ts';
import { type AddressSource, clientAddress } from '../limits/client-address.ts';
import { methodOnWire, routeOf } from './routing.ts';

export interface AccessLogOptions {
  readonly accessLog: Pick<AccessLog, 'write'>;
  readonly source: AddressSource;
  readonly clock: { now(): EpochSeconds };
}

/** Paths below these may hold secrets of their own. */
const SECRET = /^\/(?:desk|submit)\//;

export const accessLogging = fp(async (app: FastifyInstance, { accessLog, source, clock }: AccessLogOptions) => {
  /** How much its connection had sent before. */
  const sentBefore = new WeakMap<FastifyRequest, number>();
  app.addHook('onRequest', (request, _reply, done) => {
    // Pages ask the API within the process, without a connection.
    const { socket } = request.raw;
    if (socket instanceof Socket) sentBefore.set(request, socket.bytesWritten);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const before = sentBefore.get(request);
    if (before !== undefined) accessLog.write(accessOf(request, reply, before));
    done();
  });

  function accessOf(request: FastifyRequest, reply: FastifyReply, before: number): Access {
    const { raw, headers, caller, id } = request;
    const [path = ''] = (raw.url ?? '').split('?', 1);
    return {
      time: new Date(clock.now() * 1_000).toISOString(),
      address: clientAddress(raw, source),
      method: methodOnWire(request),
      path: SECRET.test(path) ? null : path,
      route: routeOf(request),
      status: reply.statusCode,
      bytes: raw.socket.bytesWritten - before,
      ms: Math.round(reply.elapsedTime * 1_000) / 1_000,
      id,
      user: caller?.id ?? null,
      agent: headers['user-agent'] ?? null,
    };
  }
});
