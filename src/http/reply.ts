// The last step: status, headers and text of an answer onto the wire.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../auth/caller.ts';
import { bodyText, enveloped, leavesWhole, wantsEnvelope } from './envelope.ts';
import {
  type HeaderLines,
  type HeaderSet,
  LIST_VARY,
  linesOf,
  originLines,
  PRESENTED_LINES,
  PRIVATE_LINES,
  REVALIDATED_LINES,
  totalsUnderBothNames,
} from './headers.ts';
import { methodOnWire } from './plugins/routing.ts';
import type { Exchange } from './request-context.ts';
import type { ApiAnswer, Method } from './route.ts';
import type { StoredAnswer } from './stored-list.ts';

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
  const { stored } = answer;
  const terms: Terms = { allow: allow === null ? null : joined(allow), access: accessTo(answer, exchange.caller) };
  if (stored === undefined) sendFramed(exchange, reply, answer, terms);
  else if (leavesWhole(exchange.query)) sendList(exchange, reply, stored, terms);
  else sendFramed(exchange, reply, unpacked(stored, exchange), terms);
}

/** What goes with an answer beside what it says itself. */
export interface Terms {
  /** Methods, for the header `Allow`. */
  readonly allow: string | null;
  /** Who may keep the answer, and for how long. */
  readonly access: HeaderLines;
}

/** Begins an answer that comes in pieces: all of it but the body. How it is framed is its own; `_fields` changes nothing. */
export function sendHead(
  exchange: Exchange,
  reply: FastifyReply,
  answer: ApiAnswer,
  allow: readonly Method[] | null,
): void {
  const { status } = answer;
  const own = withLanguage(answer);
  const lines = commonLines(exchange, own, exchange.caller ? PRIVATE_LINES : NO_LINES);
  if (allow !== null) lines.push('Allow', joined(allow));
  for (const name in own) lines.push(name, own[name] ?? '');
  reply.hijack();
  reply.raw.writeHead(status, lines);
}

function accessTo({ stored }: ApiAnswer, caller: Caller | undefined): HeaderLines {
  if (caller) return PRIVATE_LINES;
  if (stored === undefined) return NO_LINES;
  return stored.found === null ? PRESENTED_LINES : REVALIDATED_LINES;
}

function sendFramed(exchange: Exchange, reply: FastifyReply, answer: ApiAnswer, terms: Terms): void {
  const json = bodyText(answer, exchange.query);
  const own = withLanguage(answer);
  const { allow, access } = terms;
  if (wantsEnvelope(exchange.query)) {
    const inner = { ...totalsUnderBothNames(own), ...(allow !== null && { Allow: allow }) };
    const outer = languageHeaders(answer);
    const lines = [...commonLines(exchange, outer, access), ...linesOf(outer)];
    write(exchange, reply, 200, lines, enveloped(json, answer.status, inner));
    return;
  }
  const lines = commonLines(exchange, own, access);
  if (allow !== null) lines.push('Allow', allow);
  const all = totalsUnderBothNames(own);
  for (const name in all) lines.push(name, all[name] ?? '');
  write(exchange, reply, answer.status, lines, json);
}

const NONE: HeaderSet = {};

/** What an answer says itself, and which language it says it in. */
function withLanguage(answer: ApiAnswer): HeaderSet {
  const { headers = NONE, language } = answer;
  return language === undefined ? headers : { ...headers, ...languageHeaders(answer) };
}

/** Caches are told that other readers may get other texts. An answer without a text is in no language. */
function languageHeaders({ headers = NONE, language, status }: ApiAnswer): HeaderSet {
  if (language === undefined) return NONE;
  const Vary = `${headers.Vary ?? 'Origin'}, Accept-Language`;
  return status === 304 ? { Vary } : { Vary, 'Content-Language': language.code };
}
const NO_LINES: HeaderLines = [];

/** A list whose text is needed, to send a part of it or to wrap it. */
function unpacked({ list, shown }: StoredAnswer, { request }: Exchange): ApiAnswer {
  const { status, etag } = list.choose(undefined, request.headers['if-none-match']);
  const headers = { ...list.headers, ...shown?.headers, ETag: etag };
  return { status, body: status === 304 ? '' : list.text(), headers };
}

/** What answering with a list takes to know of a request. */
export type ListExchange = Pick<Exchange, 'request' | 'correlationId' | 'site'>;

/** Sends a list, in the form that the client takes best. */
export function sendList(
  { request, correlationId, site }: ListExchange,
  reply: FastifyReply,
  { list, shown }: Pick<StoredAnswer, 'list' | 'shown'>,
  { allow, access }: Terms,
): void {
  const { headers, method } = request;
  const { status, etag, form } = list.choose(single(headers['accept-encoding']), headers['if-none-match']);
  const lines = [...site.headerLines, ...list.headerLines, ...access, 'X-Request-Id', correlationId];
  lines.push('Vary', LIST_VARY, 'ETag', etag);
  if (allow !== null) lines.push('Allow', allow);
  if (headers.origin !== undefined) lines.push(...originLines(headers.origin));
  if (shown) lines.push(...shown.lines);
  if (form?.coding) lines.push('Content-Encoding', form.coding);
  if (form) lines.push('Content-Length', String(form.bytes.length));
  reply.hijack();
  reply.raw.writeHead(status, lines);
  reply.raw.end(method === 'HEAD' ? undefined : form?.bytes);
}

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join() : header;

/** Names and values in turn. What the answer says itself (`own`) is left to it. */
function commonLines(exchange: Exchange, own: HeaderSet, access: HeaderLines): string[] {
  const { request, correlationId, site, caller } = exchange;
  const lines = [...site.headerLines, 'X-Request-Id', correlationId, ...access];
  const { origin } = request.headers;
  const isPublicRead = !caller && isRead(request);
  if (origin !== undefined) lines.push(...originLines(origin));
  if (origin !== undefined || isPublicRead) lines.push('Vary', 'Origin');
  return own === NONE ? lines : withoutNames(lines, own);
}

const isRead = (request: FastifyRequest): boolean => /^(GET|HEAD)$/.test(methodOnWire(request));

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

export function joined(methods: readonly Method[]): string {
  const known = joinedLists.get(methods);
  if (known !== undefined) return known;
  const text = methods.join(', ');
  joinedLists.set(methods, text);
  return text;
}
