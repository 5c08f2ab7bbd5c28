// The documentation of the routes of users.
import Type from 'typebox';
import { mayKeepCredentials, mayManageUsers } from '../../../auth/policy.ts';
import { page } from '../../schemas/answers/lists.ts';
import { addedUser, credentials, issuedCredential } from '../../schemas/answers/user.ts';
import type { Right } from './documentation.ts';
import { USER_EXAMPLES } from './examples.ts';
import { listing, reading } from './reads.ts';
import { changing, creating, deleting, MERGE } from './writes.ts';

const toManage: Right = { of: 'endpoint', may: mayManageUsers };
const toKeep: Right = { of: 'users', may: mayKeepCredentials };
/** There is nobody who may not, but for the public. */
const toBeSomebody: Right = { of: 'endpoint', may: (caller) => mayKeepCredentials(caller, caller?.id ?? 0) };

const group = 'Users';
const user = Type.Ref('User');

const ONCE =
  'The token stands in the answer and nowhere else. A request that is repeated with its key tells it no more.';

export const USER_DOCUMENTATION = {
  list: listing({
    group,
    summary: 'List users',
    right: toManage,
    answer: page('users', 'A page of users, by id.', user),
    errors: ['rest_forbidden', 'rest_user_page_not_found'],
    takes: ['AtLeast'],
  }),
  create: creating({
    group,
    example: USER_EXAMPLES.create,
    summary: 'Add a user with a first token',
    description: ONCE,
    right: toManage,
    answer: addedUser,
    errors: ['rest_user_exists'],
  }),
  me: reading({
    group,
    summary: 'Read the own profile',
    right: toBeSomebody,
    answer: user,
    errors: ['rest_forbidden'],
    takes: ['AtLeast'],
  }),
  read: reading({
    group,
    summary: 'Read a user',
    right: toKeep,
    answer: user,
    errors: ['rest_forbidden', 'rest_user_not_found'],
    takes: ['AtLeast'],
  }),
  update: changing({
    group,
    example: USER_EXAMPLES.change,
    summary: 'Change role, name or e-mail address of a user',
    description: MERGE,
    right: toManage,
    answer: user,
    errors: ['rest_user_not_found', 'rest_user_exists', 'rest_last_administrator'],
  }),
  remove: deleting({
    group,
    summary: 'Remove a user; names are free again, the id is not',
    right: toManage,
    answer: user,
    errors: ['rest_user_not_found', 'rest_last_administrator'],
  }),
  credentials: reading({
    group,
    summary: 'List the tokens of a user',
    right: toKeep,
    answer: credentials,
    errors: ['rest_forbidden', 'rest_user_not_found'],
    takes: ['AtLeast'],
  }),
  issue: creating({
    group,
    example: USER_EXAMPLES.issue,
    summary: 'Issue a token to a user',
    description: ONCE,
    right: toKeep,
    answer: issuedCredential,
    errors: ['rest_user_not_found'],
  }),
  revoke: deleting({
    group,
    summary: 'Revoke a token of a user',
    right: toKeep,
    answer: Type.Ref('Credential'),
    errors: ['rest_user_not_found', 'rest_credential_not_found', 'rest_last_administrator'],
  }),
  history: listing({
    group,
    summary: 'What happened to a user',
    right: toManage,
    answer: page('history', 'Revisions, the newest first.', Type.Ref('Revision')),
    errors: ['rest_forbidden', 'rest_user_not_found', 'rest_history_page_not_found'],
  }),
} as const;
