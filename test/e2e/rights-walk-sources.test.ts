// The table of rights stands in one file: no other compares roles.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const ROOT = path.join(import.meta.dirname, '../..');
const COMPARISON =
  /\.role\s*[!=]==|\bcase '(?:administrator|editor|contributor|subscriber)'|[!=]==\s*'(?:administrator|editor|contributor|subscriber)'/;

/** These ask which role users have, not what it lets them do. */
const ABOUT_USERS = [
  'src/editorial/review-rules/commands/review-policy.ts',
  'src/people/users/domain/user.ts',
  'src/people/users/queries/list-users.ts',
];
const TABLE = 'src/people/auth/policy.ts';

test('nothing but the table of rights decides by role', () => {
  const files = ['src', 'projections'].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => path.join(folder, name)),
  );
  assert.ok(files.includes(TABLE));
  const comparing = files.filter((file) => COMPARISON.test(readFileSync(path.join(ROOT, file), 'utf8')));
  assert.equal(comparing.filter((file) => file !== TABLE).sort(), ABOUT_USERS);
});

test.run();
