// Tables of rights as tests write them down: one line for each sort of resource, one column for each role.
import type { Answer, As } from './service.ts';

/** The columns, in this order. */
export const ROLES = [
  'anonymous',
  'subscriber',
  'contributor',
  'author',
  'editor',
  'administrator',
] as const satisfies As[];
export type Role = (typeof ROLES)[number];

export type Kind = 'event' | 'venue' | 'organizer';

/**
 * What a caller meets. `no`: the right is missing. `hidden`: may not be read. `gone`: in the trash. `twice`: there already.
 * `unknown`: as if it were not there.
 */
export type Word = 'ok' | 'no' | 'hidden' | 'gone' | 'twice' | 'unknown';

export interface Row {
  readonly whose: 'own' | 'others';
  /** `trash/draft` was a draft when it was thrown away. */
  readonly status: string;
  readonly words: Readonly<Record<Role, Word>>;
}

/** Reads a table: whose, status, and a word for each role. */
export const rowsOf = (table: string): Row[] =>
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [whose, status = '', ...words] = line.trim().split(/\s+/);
      if (words.length !== ROLES.length) throw new Error(`a line has ${words.length} columns: ${line}`);
      const byRole = Object.fromEntries(ROLES.map((role, at) => [role, words[at]]));
      return { whose: whose as Row['whose'], status, words: byRole as Row['words'] };
    });

/** Status and code of an answer, as a table's word has it for this caller. */
export function answerFor(word: Word, role: As, kind: Kind): string {
  switch (word) {
    case 'ok':
      return '200';
    case 'no':
      return role === 'anonymous' ? '401 rest_forbidden' : '403 rest_forbidden';
    case 'hidden':
      return `403 ${kind}-not-accessible`;
    case 'gone':
      return '403 event-no-longer-available';
    case 'unknown':
      return '400 rest_invalid_param';
    case 'twice':
      return `410 ${kind}-is-in-trash`;
  }
}

export const told = ({ status, body }: Pick<Answer, 'status' | 'body'>): string =>
  typeof body?.code === 'string' ? `${status} ${body.code}` : String(status);
