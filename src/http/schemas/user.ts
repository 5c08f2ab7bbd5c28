// The parameters of the routes of users.
import { ROLES } from '../../auth/caller.ts';
import { oneOf } from '../parameters/allowed.ts';
import { allowing, filledText, nonEmptyString, stringOrEmpty } from '../parameters/validators.ts';
import type { ParameterTable } from '../route.ts';
import { type ListSettings, search } from './lists.ts';
import { anyId, pageNumber, perPage, refused, required, text } from './primitives.ts';

const isRole = allowing(oneOf(ROLES), (value) => ROLES.some((role) => role === value));

const role = text('user.role', isRole);
const name = text('user.name', filledText);
const email = text('user.email', stringOrEmpty);
const label = text('user.label', filledText);
const id = anyId('user');

export const userTables = {
  list: ({ perPage: size }: ListSettings): ParameterTable => ({
    page: pageNumber,
    per_page: perPage(size),
    search: search('user_list.search'),
    role: text('user_list.role', isRole),
  }),
  create: {
    login: required(text('user.login', nonEmptyString)),
    role: required(role),
    name,
    email,
    label,
  },
  me: {},
  read: { id },
  // The login is for ever; the handler says so when another one is sent.
  update: { id, role, name, email, login: refused() },
  remove: { id },
  credentials: { id },
  issue: { id, label: required(label) },
  revoke: { id },
  history: ({ perPage: size }: ListSettings): ParameterTable => ({ id, page: pageNumber, per_page: perPage(size) }),
} as const;
