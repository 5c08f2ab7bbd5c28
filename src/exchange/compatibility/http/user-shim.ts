// `users/me`: by it clients test their credentials, and learn what they may do.

import type { PostKind } from '../../../calendar/resource/domain/post.ts';
import { type Links, READ_ONLY, type Routes } from '../../../http/route.ts';
import type { Answer } from '../../../http/schemas/components.ts';
import { slugFrom } from '../../../kernel/text/slug.ts';
import type { Caller } from '../../../people/auth/caller.ts';
import {
  may,
  mayManageTerms,
  mayManageUsers,
  mayPublish,
  mayUpload,
  mayWriteRawHtml,
} from '../../../people/auth/policy.ts';
import { userTables } from '../../../people/users/http/user-schema.ts';
import { carryHeaders, type OwnApi, translating } from './own-api.ts';
import { SHIM_DOCUMENTATION } from './shim-documentation.ts';

type OwnUser = Answer<'User'>;

export const userShim: Routes<{ readonly own: OwnApi }> = async (api, { own }) => {
  api.get(
    '/users/me',
    { schema: { ...SHIM_DOCUMENTATION.me, querystring: userTables.me }, config: READ_ONLY },
    async (request, reply) => {
      const { caller, context, links, language } = request;
      const answer = await translating({ rest_forbidden: 'rest_not_logged_in' }, () =>
        own.ask<OwnUser>(request, 'GET', '/users/me'),
      );
      const user = userObject(answer.body, links);
      const whole = context === 'edit' ? { ...user, ...forEditing(answer.body, caller, language.code) } : user;
      return carryHeaders(reply, answer).send(whole);
    },
  );
};

const userObject = ({ id, login, name }: OwnUser, { site, root }: Links) => ({
  id,
  name,
  url: '',
  description: '',
  link: `${site}/`,
  slug: slugFrom(login),
  avatar_urls: {},
  meta: [],
  _links: { self: [{ href: `${root}/users/${id}` }], collection: [{ href: `${root}/users` }] },
});

const forEditing = ({ login, name, email }: OwnUser, caller: Caller, locale: string) => ({
  username: login,
  first_name: '',
  last_name: '',
  nickname: name,
  email,
  locale,
  roles: caller === null ? [] : [caller.role],
  capabilities: capabilitiesOf(caller),
  extra_capabilities: caller === null ? {} : { [caller.role]: true },
});

/** Rights on posts under the names of the types that writers ask for. */
const TYPES: { readonly [type: string]: PostKind } = {
  posts: 'event',
  tribe_events: 'event',
  tribe_venues: 'venue',
  tribe_organizers: 'organizer',
};

const OF_OTHERS = { author: -1, status: 'publish', before: null } as const;

/** Only those that the caller has, as clients expect it. */
function capabilitiesOf(caller: Caller): { readonly [capability: string]: true } {
  const onPosts = Object.entries(TYPES).flatMap(([type, kind]): (readonly [string, boolean])[] => [
    [`edit_${type}`, may(caller, 'create', kind)],
    [`edit_others_${type}`, may(caller, 'update', kind, OF_OTHERS)],
    [`publish_${type}`, may(caller, 'create', kind) && mayPublish(caller)],
    [`delete_${type}`, may(caller, 'delete', kind)],
    [`delete_others_${type}`, may(caller, 'delete', kind, OF_OTHERS)],
  ]);
  const all: readonly (readonly [string, boolean])[] = [
    ['read', true],
    ...onPosts,
    ['upload_files', mayUpload(caller)],
    ['manage_categories', mayManageTerms(caller, 'tag')],
    ['unfiltered_html', mayWriteRawHtml(caller)],
    ['list_users', mayManageUsers(caller)],
  ];
  return Object.fromEntries(all.flatMap(([name, has]) => (has ? [[name, true]] : [])));
}
