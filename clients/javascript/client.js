// A client of Daybook for browsers and Node: every operation of the OpenAPI document as a method, by its id. It needs `fetch` alone.
import { OPERATIONS } from './operations.js';

/** An answer that is neither a success nor a conflict. */
export class DaybookError extends Error {
  name = 'DaybookError';

  /** @param {number} status @param {{ code?: string, message?: string, data?: object } | null} body */
  constructor(status, body) {
    super(body?.message ?? `The service answered ${status}.`);
    this.status = status;
    this.code = body?.code ?? '';
    this.data = body?.data ?? {};
  }
}

/** What a write gets if another client was there first: it is read again and decided anew, so these are values. */
const CONFLICTS = [409, 412];
/** What a request gets that is to come back later; nothing has been done then. */
const LATER = [429, 503];
const MAX_WAIT_SECONDS = 120;
const FEED_WAIT_SECONDS = 60;

const pause = (seconds, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve(undefined);
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });

/** Seconds, of a number or a date; one where nothing is said. */
function secondsUntil(retryAfter) {
  const seconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Math.min(Math.max(Number.isNaN(seconds) ? 1 : seconds, 0), MAX_WAIT_SECONDS);
}

/** The path with its variables, and what is left of the arguments: the query, or the body. */
function addressed(path, given) {
  const rest = { ...given };
  const place = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = rest[name];
    if (value === undefined) throw new TypeError(`${name} is missing`);
    delete rest[name];
    return encodeURIComponent(value);
  });
  return { place, rest };
}

function queryOf(given) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

const HEADERS = {
  ifMatch: 'If-Match',
  idempotencyKey: 'Idempotency-Key',
  reason: 'X-Change-Reason',
  atLeast: 'X-Daybook-Position',
  language: 'Accept-Language',
};

function bodyOf(rest, headers) {
  const form = Object.values(rest).some((value) => value instanceof Blob);
  if (!form) {
    headers.set('Content-Type', 'application/json');
    return JSON.stringify(rest);
  }
  const data = new FormData();
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined) data.set(name, value instanceof Blob ? value : String(value));
  return data;
}

async function contentOf(response) {
  if (response.status === 204) return null;
  const isJson = response.headers.get('content-type')?.includes('json');
  return isJson ? response.json() : response.text();
}

/**
 * Opens a client of the API at `url`. A request that is refused for now (429, 503) is repeated when `Retry-After` says, up to
 * `attempts` times in all; a creation carries a key, so that it has its effect once.
 * @type {import('./client.d.ts').openDaybook}
 */
export function openDaybook({ url, token, attempts = 4, fetch: send = globalThis.fetch }) {
  const root = url.replace(/\/+$/, '');

  async function sent(address, init, signal) {
    for (let attempt = 1; ; attempt++) {
      const response = await send(address, { ...init, signal });
      if (!LATER.includes(response.status) || attempt >= attempts) return response;
      await response.arrayBuffer();
      await pause(secondsUntil(response.headers.get('retry-after')), signal);
    }
  }

  async function call(id, given = {}, options = {}) {
    const [method, path] = OPERATIONS[id].split(' ');
    const { place, rest } = addressed(path, given);
    const { signal, ...named } = options;
    const headers = new Headers({ Accept: 'application/json' });
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    if (method === 'POST') headers.set('Idempotency-Key', crypto.randomUUID());
    for (const [name, value] of Object.entries(named)) if (value !== undefined) headers.set(HEADERS[name], value);
    const hasBody = method !== 'GET' && method !== 'DELETE';
    const body = hasBody ? bodyOf(rest, headers) : undefined;
    const address = `${root}${place}${hasBody ? '' : queryOf(rest)}`;
    const response = await sent(address, { method, headers, body }, signal);
    const content = await contentOf(response);
    const { status } = response;
    if (method !== 'GET' && CONFLICTS.includes(status)) return { kind: 'conflict', status, error: content };
    if (!response.ok) throw new DaybookError(status, typeof content === 'object' ? content : null);
    const header = (name) => response.headers.get(name);
    return { kind: 'answer', status, value: content, etag: header('etag'), position: header('x-daybook-position') };
  }

  /** Changes as they happen, until the loop is left or `signal` is aborted. */
  async function* changes({ after, ...filter } = {}, { signal } = {}) {
    let from = after;
    while (!signal?.aborted) {
      const asked = { ...filter, after: from, wait: FEED_WAIT_SECONDS };
      const page = await call('getChanges', asked, { signal }).catch((error) => {
        if (!signal?.aborted) throw error;
      });
      if (page === undefined) return;
      for (const change of page.value.changes) yield { change, after: change.position };
      from = page.value.next;
    }
  }

  /** All items of a list, page after page. */
  async function* each(id, given = {}, options = {}) {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const { value } = await call(id, { per_page: 50, ...given, page }, options);
      const [items] = Object.values(value).filter(Array.isArray);
      yield* items ?? [];
      pages = value.total_pages;
    }
  }

  const operations = Object.keys(OPERATIONS).map((id) => [id, (given, options) => call(id, given, options)]);
  return Object.assign(Object.fromEntries(operations), { changes, each });
}
