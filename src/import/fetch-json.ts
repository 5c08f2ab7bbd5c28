// One request for JSON, with everything bounded that a server could draw out.
import { Unreadable } from './unreadable.ts';

export interface FetchLimits {
  /** For a whole answer. */
  readonly timeoutMs: number;
  /** Of one answer. */
  readonly bytes: number;
}

export interface Answer {
  readonly text: string;
  /** Where the answer came from in the end: redirects are followed. */
  readonly address: string;
}

/** The body of an answer that claims to be, or may be, JSON. Throws `Unreadable` and says why. */
export async function fetchJson(address: string, limits: FetchLimits): Promise<Answer> {
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json', 'user-agent': 'daybook-import' },
      signal: AbortSignal.timeout(limits.timeoutMs),
    });
    if (!response.ok) throw await refusal(response, address);
    const text = await bodyOf(response, limits.bytes, address);
    const type = response.headers.get('content-type') ?? '';
    if (type.includes('html') || text.trimStart().startsWith('<'))
      throw new Unreadable('it answers HTML, not JSON; give the address of the list of events in the API', address);
    return { text, address: response.url || address };
  } catch (error) {
    throw explained(error, address, limits);
  }
}

async function refusal(response: Response, address: string): Promise<Unreadable> {
  await response.body?.cancel();
  return new Unreadable(`it answers ${response.status} ${response.statusText}`.trimEnd(), address);
}

async function bodyOf(response: Response, most: number, address: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw new Unreadable(`its answer is larger than ${most} bytes`, address);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function explained(error: unknown, address: string, { timeoutMs }: FetchLimits): unknown {
  if (error instanceof Unreadable || !(error instanceof Error)) return error;
  if (error.name === 'TimeoutError') return new Unreadable(`it did not answer within ${timeoutMs / 1000} s`, address);
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  return new Unreadable(`it cannot be reached (${cause.message || code || error.message})`, address);
}
