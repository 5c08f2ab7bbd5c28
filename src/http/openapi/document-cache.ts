// Documents that have been made, as JSON text: one for each language and address of the API.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Language } from '../../locales/language.ts';
import type { Route } from '../route.ts';
import { openApiDocument } from './document.ts';

export interface KeptDocument {
  readonly text: string;
  readonly etag: string;
}

export interface DocumentQuestion {
  readonly language: Language;
  /** Of the API, without a slash at its end. */
  readonly root: string;
}

/** Clients choose their Host header, so only so many are kept. */
const MOST_DOCUMENTS = 16;
const TAG_LENGTH = 22;
/** Stands for the root until it is known; no description holds it. */
const ANY_ROOT = '{root of the API}';

/** A document of a language and address. Rejects when it cannot be made. */
export type DocumentFor = (question: DocumentQuestion) => Promise<KeptDocument>;

/**
 * Making a document takes some 50 ms of turns, so it is made once for each language, for all who ask meanwhile; for
 * another root only its address is put in: whoever sends a new Host header each time must not keep the process from
 * answering others.
 */
export function openDocuments(routes: () => readonly Route[]): DocumentFor {
  const kept = new Map<string, KeptDocument>();
  const ofLanguages = new Map<string, Promise<string>>();

  function textIn(language: Language): Promise<string> {
    const known = ofLanguages.get(language.code);
    if (known !== undefined) return known;
    const made = make(language).catch((error: unknown) => {
      ofLanguages.delete(language.code);
      throw error;
    });
    ofLanguages.set(language.code, made);
    return made;
  }

  async function make(language: Language): Promise<string> {
    const document = await openApiDocument(routes(), { words: language, root: ANY_ROOT });
    await nextTurn();
    return JSON.stringify(document);
  }

  return async ({ language, root }) => {
    const key = `${language.code} ${root}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const text = (await textIn(language)).replace(ANY_ROOT, () => JSON.stringify(root).slice(1, -1));
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, TAG_LENGTH);
    const made = { text, etag: `"${digest}"` };
    if (kept.size >= MOST_DOCUMENTS) kept.clear();
    kept.set(key, made);
    return made;
  };
}
