// The last step: status, headers and text of an answer onto the wire.
import type { FastifyReply } from 'fastify';
import type { ApiAnswer, Method } from './api.ts';
import type { Exchange } from './exchange.ts';
import { bodyText, enveloped, wantsEnvelope } from './framing.ts';
import { type HeaderSet, originLines, PRIVATE_LINES, totalsUnderBothNames } from './headers.ts';

/**
 * Sends `answer`. `allow` are the methods that the caller may use here, null where there is no route. It is written in
 * one go past Fastify's own header bookkeeping, which costs more than all the rest of a read from the cache.
 */
export function sendAnswer(
  exchange: Exchange,
  reply: FastifyReply,
  answer: ApiAnswer,
  allow: readonly Method[] | null,
): void {
  const json = bodyText(answer, exchange.query);
  const own = answer.headers ?? NONE;
  if (wantsEnvelope(exchange.query)) {
    const inner = { ...totalsUnderBothNames(own), ...(allow !== null && { Allow: joined(allow) }) };
    write(exchange, reply, 200, commonLines(exchange, NONE), enveloped(json, answer.status, inner));
    return;
  }
  const lines = commonLines(exchange, own);
  if (allow !== null) lines.push('Allow', joined(allow));
  const all = totalsUnderBothNames(own);
  for (const name in all) lines.push(name, all[name] ?? '');
  write(exchange, reply, answer.status, lines, json);
}

const NONE: HeaderSet = {};

/** Names and values in turn. What the answer says itself (`own`) is left to it. */
function commonLines({ request, correlationId, site, caller }: Exchange, own: HeaderSet): string[] {
  const lines = [...site.headerLines, 'X-Request-Id', correlationId];
  const { origin } = request.headers;
  if (origin !== undefined) lines.push(...originLines(origin));
  else if (!caller && (request.method === 'GET' || request.method === 'HEAD')) lines.push('Vary', 'Origin');
  if (caller) lines.push(...PRIVATE_LINES);
  return own === NONE ? lines : withoutNames(lines, own);
}

/** Routes name headers as they are spelt here. */
const OVERRIDABLE = ['Content-Type', 'Link', 'Vary', 'Cache-Control', 'Expires'];

function withoutNames(lines: string[], own: HeaderSet): string[] {
  for (const name of OVERRIDABLE) {
    const at = name in own ? lines.indexOf(name) : -1;
    if (at >= 0) lines.splice(at, 2);
  }
  return lines;
}

function write({ request }: Exchange, reply: FastifyReply, status: number, lines: string[], text: string): void {
  const isBodiless = status === 304 || status === 204;
  if (!isBodiless) lines.push('Content-Length', String(Buffer.byteLength(text)));
  reply.hijack();
  reply.raw.writeHead(status, lines);
  reply.raw.end(isBodiless || request.method === 'HEAD' ? undefined : text);
}

/** Routes answer the same few lists again and again. */
const joinedLists = new WeakMap<readonly Method[], string>();

function joined(methods: readonly Method[]): string {
  const known = joinedLists.get(methods);
  if (known !== undefined) return known;
  const text = methods.join(', ');
  joinedLists.set(methods, text);
  return text;
}
