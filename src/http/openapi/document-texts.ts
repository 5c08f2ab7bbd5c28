// The document as JSON text: built once, translated into each language, with the address of the request.

import { LRUCache } from 'lru-cache';
import { nextTurn } from '../../kernel/event-loop/turns.ts';
import { shareOf } from '../../kernel/memory/limit.ts';
import type { Language } from '../../locales/language.ts';
import { digestOf } from '../../queries/digest.ts';
import { lastingText } from '../answers/text-members.ts';

interface CachedDocument {
  /** One buffer per address and language, so that parts of it are found at once. */
  readonly text: Buffer;
  readonly etag: string;
}

interface DocumentQuestion {
  readonly language: Language;
  /** The address of the API, without a slash at its end. */
  readonly root: string;
  /** The address of the whole service, without a slash at its end. */
  readonly site: string;
}

export type Documents = ReturnType<typeof openDocuments>;

/** Placeholder of the root; no description contains it. */
export const ANY_ROOT = 'https://root.invalid';
/** Placeholder of the address of the site. */
export const ANY_SITE = 'https://site.invalid';

/** Clients choose the language and their Host header, so the caches are bounded. A document takes 2.4 MB. */
const MAX_BYTES = { documents: shareOf(40 * 1_048_576, 1 / 64), languages: shareOf(20 * 1_048_576, 1 / 64) };

/** `make` builds the document with keys in place of texts, and codes of errors in braces: `{rest_forbidden}`. */
export function openDocuments(make: () => Promise<object>) {
  const cached = new LRUCache<string, CachedDocument>({
    maxSize: MAX_BYTES.documents,
    sizeCalculation: ({ text }) => text.length,
  });
  const ofLanguages = new LRUCache<string, string>({
    maxSize: MAX_BYTES.languages,
    // Any language but English has letters of two bytes.
    sizeCalculation: ({ length }) => 2 * length,
  });
  let template: Promise<Slots> | undefined;

  const slots = (): Promise<Slots> => {
    template ??= make().then(slotsOf);
    return template;
  };

  async function textIn(language: Language): Promise<string> {
    const before = ofLanguages.get(language.code);
    if (before !== undefined) return before;
    const text = inWords(await slots(), language);
    ofLanguages.set(language.code, text);
    await nextTurn();
    return text;
  }

  async function documentFor({ language, root, site }: DocumentQuestion): Promise<CachedDocument> {
    const key = `${language.code} ${root}`;
    const before = cached.get(key);
    if (before !== undefined) return before;
    const text = (await textIn(language))
      .replace(ANY_ROOT, () => inJson(root))
      .replaceAll(ANY_SITE, () => inJson(site));
    await nextTurn();
    const etag = `"${digestOf(text)}"`;
    await nextTurn();
    const document = { text: lastingText(text), etag };
    cached.set(key, document);
    return document;
  }

  return {
    /**
     * Builds the document, some 100 ms in steps between which requests have their turn, unless one has asked for it. The
     * application must be ready.
     */
    prepare: slots,
    documentFor,
  };
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** JSON text split at its descriptions: one literal more than there are keys. */
interface Slots {
  readonly literals: readonly string[];
  readonly keys: readonly string[];
}

const DESCRIPTION = /("(?:description|summary)":)"((?:[^"\\]|\\.)*)"/;

async function slotsOf(document: object): Promise<Slots> {
  await nextTurn();
  // Schemas refer to components by their names.
  const json = JSON.stringify(document).replace(/"\$ref":"(?!#)/g, '$&#/components/schemas/');
  await nextTurn();
  const literals: string[] = [];
  const keys: string[] = [];
  const pieces = json.split(DESCRIPTION);
  for (let at = 0; at < pieces.length; at += 3) {
    const [literal = '', name = '', key] = pieces.slice(at, at + 3);
    literals.push(literal + name);
    if (key !== undefined) keys.push(JSON.parse(`"${key}"`));
  }
  await nextTurn();
  return { literals, keys };
}

/** Anything but a key stays: a member of an example that is called `description`. */
function inWords({ literals, keys }: Slots, { describe, errors }: Pick<Language, 'describe' | 'errors'>): string {
  const messages: { readonly [code: string]: string } = errors;
  const worded = (key: string): string =>
    describe(key.replace(/\{([\w-]+)\}/g, (whole, code: string) => messages[code] ?? whole));
  return literals.reduce((text, literal, at) => {
    const key = keys[at];
    return text + literal + (key === undefined ? '' : JSON.stringify(worded(key)));
  }, '');
}
