// sanitize-html, loaded with the first text that needs it: with its parsers of HTML and styles it takes 45 ms of a start.
import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';

const load = createRequire(import.meta.url);

/** The text with what `options` let through. */
export const sanitized = (html: string, options: sanitize.IOptions): string =>
  (load('sanitize-html') as typeof sanitize)(html, options);
