// Documents that have been made, as JSON text: one for each language and address of the API.
import { createHash } from 'node:crypto';
import type { Language } from '../../languages/language.ts';
import type { Route } from '../api.ts';
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

/**
 * Making a document takes some 50 ms, so it is made once for each language; for another root only its address is put in:
 * whoever sends a new Host header each time must not keep the process from answering others.
 */
export function openDocuments(routes: () => readonly Route[]): (question: DocumentQuestion) => KeptDocument {
  const kept = new Map<string, KeptDocument>();
  const ofLanguages = new Map<string, string>();

  function textIn(language: Language): string {
    const known = ofLanguages.get(language.code);
    if (known !== undefined) return known;
    const made = JSON.stringify(openApiDocument(routes(), { words: language, root: ANY_ROOT }));
    ofLanguages.set(language.code, made);
    return made;
  }

  return ({ language, root }) => {
    const key = `${language.code} ${root}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const text = textIn(language).replace(ANY_ROOT, () => JSON.stringify(root).slice(1, -1));
    const digest = createHash('sha256').update(text).digest('base64url').slice(0, TAG_LENGTH);
    const made = { text, etag: `"${digest}"` };
    if (kept.size >= MOST_DOCUMENTS) kept.clear();
    kept.set(key, made);
    return made;
  };
}
