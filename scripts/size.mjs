// Counts the tokens of each room, by the compiler's own scanner and without comments: what a reader has to read.
//   node scripts/size.mjs    writes smaller counts into test/size.json. A larger one is written there by hand, together
//   with a row in decision 32 (docs/decisions/32-size.md) that says what the room has grown for.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { createScanner } from 'typescript/unstable/ast/scanner';

const ROOT = path.resolve(import.meta.dirname, '..');
const BUDGETS = path.join(ROOT, 'test/size.json');

/** After these a slash divides; after anything else it begins a regular expression. */
const ENDS_OF_VALUES = new Set([
  SyntaxKind.Identifier,
  SyntaxKind.NumericLiteral,
  SyntaxKind.StringLiteral,
  SyntaxKind.NoSubstitutionTemplateLiteral,
  SyntaxKind.TemplateTail,
  SyntaxKind.CloseParenToken,
  SyntaxKind.CloseBracketToken,
  SyntaxKind.ThisKeyword,
]);

function tokensOf(text) {
  const scanner = createScanner(true);
  scanner.setText(text);
  /** For each template that is open: the braces that are open inside its substitution. */
  const templates = [];
  let tokens = 0;
  let before = SyntaxKind.Unknown;
  for (;;) {
    let kind = scanner.scan();
    if (kind === SyntaxKind.EndOfFile) return tokens;
    if (kind === SyntaxKind.SlashToken && !ENDS_OF_VALUES.has(before)) kind = scanner.reScanSlashToken();
    if (kind === SyntaxKind.CloseBraceToken && templates.at(-1) === 0) {
      kind = scanner.reScanTemplateToken(false);
      if (kind === SyntaxKind.TemplateTail) templates.pop();
    } else if (kind === SyntaxKind.TemplateHead) templates.push(0);
    else if (kind === SyntaxKind.OpenBraceToken && templates.length > 0) templates[templates.length - 1] += 1;
    else if (kind === SyntaxKind.CloseBraceToken && templates.length > 0) templates[templates.length - 1] -= 1;
    before = kind;
    tokens += 1;
  }
}

/** Where capabilities lie: each of them is a room. */
const AREAS = ['calendar', 'editorial', 'people', 'exchange'];

/** A room is a capability, another folder of `src`, the files that lie in `src` itself, or `projections`. */
function roomOf(file) {
  const [first, second, third, fourth] = file.split(path.sep);
  if (first !== 'src' || third === undefined) return first;
  return AREAS.includes(second) && fourth !== undefined ? `src/${second}/${third}` : `src/${second}`;
}

/** The tokens of each room. */
export function sizes() {
  /** @type {Record<string, number>} */
  const rooms = {};
  for (const file of globSync('{src,projections}/**/*.{ts,mjs,js}', { cwd: ROOT }).sort()) {
    const room = roomOf(file);
    rooms[room] = (rooms[room] ?? 0) + tokensOf(readFileSync(path.join(ROOT, file), 'utf8'));
  }
  return rooms;
}

/**
 * The tokens that each room may have.
 * @returns {Record<string, number>}
 */
export const budgets = () => JSON.parse(readFileSync(BUDGETS, 'utf8'));

if (process.argv[1] === import.meta.filename) {
  const allowed = budgets();
  const counted = sizes();
  const lowered = Object.entries(counted).map(([room, tokens]) => [room, Math.min(tokens, allowed[room] ?? 0)]);
  writeFileSync(BUDGETS, `${JSON.stringify(Object.fromEntries(lowered), null, 2)}\n`);
  for (const [room, tokens] of Object.entries(counted))
    if (tokens > (allowed[room] ?? 0)) console.log(`${room}: ${tokens} tokens, allowed ${allowed[room] ?? 0}`);
}
