// A list on the wire: its bytes, its compressed forms, and which of them answers a request.

import { createHash } from 'node:crypto';
import { openTurns } from '../../kernel/event-loop/turns.ts';
import type { EpochSeconds } from '../../kernel/time/zone.ts';
import type { ListAnswer } from '../../queries/arguments.ts';
import { DIGEST_LENGTH } from '../../queries/digest.ts';
import type { MadeFrom } from '../../queries/made-from.ts';
import { acceptedCodings, CODINGS, type Coding, compressed } from './content-coding.ts';
import type { Freshness } from './freshness.ts';
import type { HeaderSet } from './headers.ts';

/** What is not whole on the way in one packet anyway gains nothing by being smaller. */
const SMALLEST_COMPRESSED = 1_200;
/** Lists that are requested once are not worth compressing. */
const COMPRESSED_FROM_REQUEST = 2;
/** Other work waits for the same few threads, such as checking passwords. */
const MAX_CONCURRENT = 2;

/** Bytes of one form with its own entity tag: a strong tag names bytes, so no two forms share one. */
interface Form {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly coding: Coding | null;
}

/** What a request gets: a form, or null (304) when the client has it. */
interface Choice {
  readonly status: 200 | 304;
  readonly etag: string;
  readonly form: Form | null;
}

/** What stands before the first item of a list and after the last. */
export interface Outline {
  readonly head: string;
  readonly tail: string;
}

export interface StoredList {
  readonly text: () => string;
  /** Null for a list that was written in one piece. */
  readonly outline: Outline | null;
  /** Total and number of pages. */
  readonly headers: HeaderSet;
  /** Absent: the next change of the read model may have touched it. */
  readonly madeFrom?: MadeFrom | undefined;
  /** Bytes of all forms that there are by now. */
  readonly size: () => number;
  /** Makes a compressed form, for a first request that is worth waiting for it. */
  readonly compress: (coding: Coding | undefined) => Promise<void>;
  /** The form for a request with these headers. */
  readonly choose: (acceptEncoding: string | undefined, ifNoneMatch: string | undefined) => Choice;
}

export interface StoredAnswer {
  readonly list: StoredList;
  /** What it is cached as, and when it was found there; null when it was made for a password, and is not shared. */
  readonly place: { readonly key: string; readonly version: string; readonly now: EpochSeconds } | null;
  /** How new it is; null for a list of the past. */
  readonly freshness: Freshness | null;
}

type Body = ListAnswer & { readonly body: readonly string[] };

/** Bytes that are digested at once: a fraction of a millisecond. */
const PIECE = 2 ** 16;

/** Texts as bytes, and their digest. Others have their turn in between, because a page may have many megabytes. */
async function written(parts: readonly string[]): Promise<{ readonly bytes: Buffer; readonly digest: string }> {
  const turn = openTurns();
  const bytes = Buffer.allocUnsafeSlow(parts.reduce((length, part) => length + Buffer.byteLength(part), 0));
  let end = 0;
  for (const part of parts) {
    end += bytes.write(part, end);
    await turn();
  }
  const sum = createHash('sha256');
  for (let from = 0; from < bytes.length; from += PIECE) {
    sum.update(bytes.subarray(from, from + PIECE));
    await turn();
  }
  return { bytes, digest: sum.digest('base64url').slice(0, DIGEST_LENGTH) };
}

const totals = (total: number, pages: number): HeaderSet => ({
  'X-TEC-Total': String(total),
  'X-TEC-TotalPages': String(pages),
  'X-WP-Total': String(total),
  'X-WP-TotalPages': String(pages),
});

function outlineOf(body: readonly string[]): Outline | null {
  const [head, tail] = [body[0], body.at(-1)];
  return body.length > 1 && head !== undefined && tail !== undefined ? { head, tail } : null;
}

/** Without its totals, and links to other pages. */
export function itemsIn({ text, outline }: Pick<StoredList, 'text' | 'outline'>): string {
  const whole = text();
  return outline === null ? whole : whole.slice(outline.head.length, whole.length - outline.tail.length);
}

let atWork = 0;

/** `grown` is called when a compressed form has been added. */
export async function storedList(
  { body, total, pages, madeFrom }: Body,
  grown: (list: StoredList) => void,
): Promise<StoredList> {
  const headers = totals(total, pages);
  const { bytes: plainBytes, digest } = await written(body);
  const tags = { plain: `"${digest}"`, br: `"${digest}-br"`, gzip: `"${digest}-gzip"` };
  const plain: Form = { bytes: plainBytes, etag: tags.plain, coding: null };
  const forms = new Map<Coding, Form>();
  const tried = new Set<Coding>();
  let requests = 0;
  let size = plainBytes.length;

  /** In the background: until it is there, the plain form answers. */
  async function compress(coding: Coding | undefined): Promise<void> {
    if (coding === undefined || tried.has(coding) || atWork >= MAX_CONCURRENT) return;
    tried.add(coding);
    atWork += 1;
    try {
      const bytes = await compressed(coding, plainBytes);
      if (bytes.length >= plainBytes.length) return;
      // A copy, because the result may be a piece of something far bigger.
      forms.set(coding, { bytes: Buffer.from(bytes), etag: tags[coding], coding });
      size += bytes.length;
      grown(list);
    } catch {
      // The plain form says the same.
    } finally {
      atWork -= 1;
    }
  }

  function formFor(accepted: readonly Coding[]): Form {
    const [preferred] = accepted;
    if (preferred === undefined || plainBytes.length < SMALLEST_COMPRESSED) return plain;
    requests += 1;
    if (requests >= COMPRESSED_FROM_REQUEST) void compress(preferred);
    for (const coding of accepted) {
      const form = forms.get(coding);
      if (form !== undefined) return form;
    }
    return plain;
  }

  /**
   * The tag that the client holds already. Only forms that it takes count: a shared cache asks with the tags of all
   * forms that it holds, and must not be led to hand a compressed one to a client that cannot read it.
   */
  function heldTag(ifNoneMatch: string, accepted: readonly Coding[]): string | null {
    const candidates = ifNoneMatch.split(',').map((candidate) => candidate.trim().replace(/^W\//, ''));
    const preferred = CODINGS.filter((coding) => accepted.includes(coding)).map((coding) => tags[coding]);
    return [...preferred, tags.plain].find((tag) => candidates.includes(tag)) ?? null;
  }

  const list: StoredList = {
    text: () => plainBytes.toString(),
    outline: outlineOf(body),
    headers,
    madeFrom,
    size: () => size,
    compress,
    choose(acceptEncoding, ifNoneMatch) {
      const accepted = acceptedCodings(acceptEncoding);
      const tag = ifNoneMatch === undefined ? null : heldTag(ifNoneMatch, accepted);
      if (tag !== null) return { status: 304, etag: tag, form: null };
      const form = formFor(accepted);
      const status = ifNoneMatch?.trim() === '*' ? 304 : 200;
      return { status, etag: form.etag, form: status === 304 ? null : form };
    },
  };
  return list;
}
