// What a validator finds wrong in the markup of a page.
import { FileSystemConfigLoader, HtmlValidate } from 'html-validate';

/** What HTML demands; how it is written is of no concern: attributes without quotes or values, entities, long titles. */
const validator = new HtmlValidate(
  new FileSystemConfigLoader({
    root: true,
    extends: ['html-validate:standard'],
    // HTML allows links that lead nowhere; none of ours does.
    elements: ['html5', { a: { attributes: { href: { required: true, omit: false } } } }],
    rules: { 'long-title': 'off', 'no-raw-characters': 'off', 'no-inline-style': 'error' },
  }),
);

/** Each with its rule and the text around it. */
export async function markupProblems(text: string): Promise<readonly string[]> {
  const { results } = await validator.validateString(text);
  const around = (line: number, column: number): string =>
    text.split('\n')[line - 1]?.slice(Math.max(0, column - 60), column + 60) ?? '';
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} (${around(line, column)})`),
  );
}
