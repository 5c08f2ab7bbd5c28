// A span for each answer, whatever answers: API, pages, probes. Paths and queries are not in it: they may hold secrets.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { OpenSpan, Traceparent, Tracing } from '../../observability/tracing.ts';
import { methodOnWire, routeOf } from './routing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** For what it leads to: what it appends, and what a page asks of the API. */
    traceparent: Traceparent;
  }
}

export const tracedAnswers = fp(async (app: FastifyInstance, { tracing }: { readonly tracing: Tracing }) => {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const span = tracing.answering(`${methodOnWire(request)} ${routeOf(request)}`, request.headers);
    spans.set(request, span);
    request.traceparent = span.traceparent;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply;
    const about = { 'http.request.method': methodOnWire(request), 'http.route': routeOf(request) };
    const attributes = { ...about, 'http.response.status_code': status, 'daybook.correlation_id': request.id };
    spans.get(request)?.end(attributes, status >= 500 ? String(status) : null);
    done();
  });
});
