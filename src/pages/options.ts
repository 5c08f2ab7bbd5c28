// The options of a `<select>`, of pages and of the desk alike.
import { type Html, html } from './html.ts';

/** Values, each with its text. */
export type Options = readonly (readonly [value: string, text: string])[];

export const optionsOf = (options: Options, chosen: string): Html[] =>
  options.map(([value, text]) => html`<option value=${value} selected=${value === chosen}>${text}</option>`);
