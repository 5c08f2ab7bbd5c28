// The documentation of the routes of users.
import Type from 'typebox';
import { mayKeepCredentials, mayManageUsers } from '../../../auth/policy.ts';
import { page } from '../../schemas/lists.ts';
import { addedUser, credentials, issuedCredential } from '../../schemas/user.ts';
import { USER_EXAMPLES } from './examples.ts';
import { listing, reading } from './reads.ts';
import type { Right } from './rights.ts';
import { changing, creating, deleting } from './writes.ts';

const toManage: Right = { of: 'endpoint', may: mayManageUsers };
const toKeep: Right = { of: 'users', may: mayKeepCredentials };
/** All signed-in users. */
const toBeSignedIn: Right = { of: 'endpoint', may: (caller) => mayKeepCredentials(caller, caller?.id ?? 0) };

const group = 'Users';
const user = Type.Ref('User');

const ONCE = 'user.token_once';

export const USER_DOCUMENTATION = {
  list: listing({
    group,
    summary: 'user_list.summary',
    right: toManage,
    answer: page('users', 'user_list.answer', user),
    errors: ['rest_forbidden', 'rest_user_page_not_found'],
    takes: ['AtLeast'],
  }),
  create: creating({
    group,
    example: USER_EXAMPLES.create,
    summary: 'user.create',
    description: ONCE,
    right: toManage,
    answer: addedUser,
    errors: ['rest_user_exists'],
  }),
  me: reading({
    group,
    summary: 'user.read_own',
    right: toBeSignedIn,
    answer: user,
    errors: ['rest_forbidden'],
    takes: ['AtLeast'],
  }),
  read: reading({
    group,
    summary: 'user.read',
    right: toKeep,
    answer: user,
    errors: ['rest_forbidden', 'rest_user_not_found'],
    takes: ['AtLeast'],
  }),
  update: changing({
    group,
    example: USER_EXAMPLES.change,
    summary: 'user.update',
    right: toManage,
    answer: user,
    errors: ['rest_user_not_found', 'rest_user_exists', 'rest_last_administrator'],
  }),
  remove: deleting({
    group,
    summary: 'user.remove',
    right: toManage,
    answer: user,
    errors: ['rest_user_not_found', 'rest_last_administrator'],
  }),
  credentials: reading({
    group,
    summary: 'user.credentials',
    right: toKeep,
    answer: credentials,
    errors: ['rest_forbidden', 'rest_user_not_found'],
    takes: ['AtLeast'],
  }),
  issue: creating({
    group,
    example: USER_EXAMPLES.issue,
    summary: 'user.issue',
    description: ONCE,
    right: toKeep,
    answer: issuedCredential,
    errors: ['rest_user_not_found'],
  }),
  revoke: deleting({
    group,
    summary: 'user.revoke',
    right: toKeep,
    answer: Type.Ref('Credential'),
    errors: ['rest_user_not_found', 'rest_credential_not_found', 'rest_last_administrator'],
  }),
  history: listing({
    group,
    summary: 'user.history',
    right: toManage,
    answer: page('history', 'history.answer', Type.Ref('Revision')),
    errors: ['rest_forbidden', 'rest_user_not_found', 'rest_history_page_not_found'],
  }),
} as const;
