// sanitize-html, loaded a moment after the start, or with the first text that needs it: with its parsers of HTML and styles it takes 45 ms.
import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';

const load = createRequire(import.meta.url);

/** Loads it part by part, so that no request has to wait for all of it. */
export function* prepareSanitizer(): Generator<undefined, void> {
  for (const name of ['htmlparser2', 'postcss', 'sanitize-html']) {
    createRequire(load.resolve('sanitize-html'))(name);
    yield;
  }
}

/** The text with what `options` let through. */
export const sanitized = (html: string, options: sanitize.IOptions): string =>
  (load('sanitize-html') as typeof sanitize)(html, options);
