// Users and their credentials on the wire: parameters and answers of their routes.
import { type ListSettings, search } from '../../../http/schemas/lists.ts';
import * as member from '../../../http/schemas/members.ts';
import { anyId, integer, optional, paging, refused, text } from '../../../http/schemas/primitives.ts';
import Type from '../../../http/schemas/type.ts';
import { ROLES, type Role } from '../../auth/caller.ts';

const role = text<Role>('user.role', 'role');
const name = text('user.name', 'filledText');
const email = text('user.email', 'stringOrEmpty');
const label = text('user.label', 'filledText');
const id = anyId('user');

export const userTables = {
  list: ({ perPage }: ListSettings) =>
    Type.Object({
      ...paging(perPage),
      ...optional({ search: search('user_list.search'), role: text<Role>('user_list.role', 'role') }),
    }),
  create: Type.Object({ login: text('user.login', 'nonEmptyString'), role, ...optional({ name, email, label }) }),
  me: Type.Object({}),
  /** Of what takes nothing else. */
  one: Type.Object({ id }),
  // The login never changes; the handler says so if another one is sent.
  update: Type.Object({ id, ...optional({ role, name, email, login: refused() }) }),
  password: Type.Object({ id, password: text('user.new_password', 'nonEmptyString') }),
  issue: Type.Object({ id, label }),
  saveSearch: Type.Object({
    id,
    name: text('saved_search.name', 'searchName'),
    query: text('saved_search.query', 'searchQuery'),
    ...optional({ former: text('user.search_former', 'searchName') }),
  }),
  removeSearch: Type.Object({ id, name: text('saved_search.name', 'searchName') }),
  endSessions: Type.Object({ id, ...optional({ session: integer('user.session_to_end', 'positiveInt') }) }),
  history: ({ perPage }: ListSettings) => Type.Object({ id, ...paging(perPage) }),
};

const credentialMembers = {
  id: member.integer('credential.id'),
  label: member.text('credential.label'),
  issued: member.instant('credential.issued'),
};

const userMembers = {
  id: member.integer('user.id'),
  login: member.text('shown_user.login'),
  name: member.text('shown_user.name'),
  email: member.text('shown_user.email'),
  role: member.oneOf('shown_user.role', ROLES),
  credentials: member.listOf(Type.Ref('Credential'), 'shown_user.credentials'),
  url: member.address('shown_user.url'),
  ...optional({
    single_sign_on: member.object('single_sign_on', {
      issuer: member.text('single_sign_on.issuer'),
      subject: member.text('single_sign_on.subject'),
    }),
  }),
};

/** Shown once, in the answer to its creation. */
const token = {
  password: member.orNull(member.text('credential.password')),
};

export const credential = member.object('credential', credentialMembers);
export const issuedCredential = member.object('credential.issued_answer', { ...credentialMembers, ...token });
export const user = member.object('shown_user', userMembers);
export const addedUser = member.object('user.added', { ...userMembers, ...token });
export const credentials = member.object('user.credentials_answer', {
  credentials: member.listOf(Type.Ref('Credential'), 'user.credentials_list'),
});

export const passwordLink = member.object('password_link', {
  url: member.address('password_link.url'),
  expires: member.instant('password_link.expires'),
});

const session = member.object('session', {
  id: member.integer('session.id'),
  started: member.instant('session.started'),
  expires: member.instant('session.expires'),
});

export const sessions = member.object('user.sessions_answer', {
  sessions: member.listOf(session, 'user.sessions_list'),
});

const savedSearch = member.object('saved_search', {
  name: member.text('saved_search.name'),
  query: member.text('saved_search.query'),
});

export const searches = member.object('user.searches_answer', {
  searches: member.listOf(savedSearch, 'user.searches_kept'),
});
