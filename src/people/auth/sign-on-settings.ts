// Settings of single sign-on, validated together.
import { ROLES, type Role } from './caller.ts';
import type { SignOnClient } from './sign-on-flow.ts';
import type { SignOnSettings } from './single-sign-on.ts';

/** As set; undefined if unset. */
interface SignOnVariables {
  readonly issuer: string | undefined;
  readonly audience: string | undefined;
  readonly jwksUrl: string | undefined;
  readonly roleClaim: string | undefined;
  readonly roles: string | undefined;
  readonly page: string | undefined;
  readonly client: string | undefined;
  readonly secret: string | undefined;
  readonly name: string | undefined;
}

const DEFAULT_CLAIM = 'role';

/** The settings; null without single sign-on. `refuse` gets a sentence about what is invalid, and throws. */
export function signOnFrom(variables: SignOnVariables, refuse: (why: string) => never): SignOnSettings | null {
  const { issuer, audience, jwksUrl, roleClaim = DEFAULT_CLAIM, roles, page } = variables;
  const isUnset = issuer === undefined && audience === undefined && jwksUrl === undefined;
  if (isUnset && page === undefined && variables.client === undefined) return null;
  if (issuer === undefined || audience === undefined || jwksUrl === undefined)
    return refuse(
      'DAYBOOK_JWT_ISSUER, DAYBOOK_JWT_AUDIENCE and DAYBOOK_JWKS_URL belong together. Set all three for a single sign-on, or none.',
    );
  if (!URL.canParse(jwksUrl) || !/^https?:$/.test(new URL(jwksUrl).protocol))
    return refuse('DAYBOOK_JWKS_URL must be an https or http address.');
  if (new URL(jwksUrl).username !== '' || new URL(jwksUrl).password !== '')
    return refuse('DAYBOOK_JWKS_URL must not contain a name or a password: the keys are public, and neither is sent.');
  if (page !== undefined && !isPage(page))
    return refuse('DAYBOOK_SIGN_ON_URL must be an https or http address without a password.');
  const named = roles === undefined ? null : rolesIn(roles, refuse);
  const client = clientIn(variables, issuer, refuse);
  return { issuer, audience, jwksUrl, roleClaim, roles: named, page: page ?? null, client };
}

function clientIn(
  { client: id, secret, name, page }: SignOnVariables,
  issuer: string,
  refuse: (why: string) => never,
): SignOnClient | null {
  if (id === undefined) return null;
  if (page !== undefined)
    return refuse(
      'DAYBOOK_SIGN_ON_CLIENT and DAYBOOK_SIGN_ON_URL are two ways to sign in at the desk. Set one of them: the first where the issuer speaks OpenID Connect, the second for a page of your own.',
    );
  if (!isPage(issuer))
    return refuse(
      'With DAYBOOK_SIGN_ON_CLIENT, DAYBOOK_JWT_ISSUER must be an https or http address that has /.well-known/openid-configuration.',
    );
  return { id, secret: secret ?? null, name: name ?? new URL(issuer).host };
}

function isPage(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, password } = new URL(address);
  return /^https?:$/.test(protocol) && password === '';
}

function rolesIn(text: string, refuse: (why: string) => never): ReadonlyMap<string, Role> {
  const pairs = text.split(',').map((pair): readonly [string, Role] => {
    // A value may contain `=`; roles do not.
    const at = pair.lastIndexOf('=');
    const value = pair.slice(0, Math.max(at, 0)).trim();
    const role = ROLES.find((known) => known === pair.slice(at + 1).trim());
    if (at > 0 && value !== '' && role !== undefined) return [value, role];
    return refuse(
      `DAYBOOK_JWT_ROLES: ${JSON.stringify(pair.trim())} must be a pair such as admins=administrator. Pairs are joined by commas; the roles are ${ROLES.join(', ')}.`,
    );
  });
  return new Map(pairs);
}
