// The settings, and the options of `daybook serve` that stand for them; docs/operations/configure.md explains each.

const setting = (name: string, description: string, value = 'TEXT') => ({ name, value, description });

export const SETTING_OPTIONS = {
  port: setting('PORT', 'port to listen at; 0 takes a free one', 'N'),
  host: setting('HOST', 'address to listen at', 'ADDRESS'),
  dataDir: setting('DAYBOOK_DATA_DIR', 'folder of stores in files', 'DIR'),
  eventStore: setting('DAYBOOK_EVENT_STORE', 'the log', 'ADDRESS'),
  readModel: setting('DAYBOOK_READ_MODEL', 'the read model', 'ADDRESS'),
  keys: setting('DAYBOOK_KEYS', 'the keys of personal data', 'ADDRESS'),
  timezone: setting('DAYBOOK_TIMEZONE', 'zone of the site', 'ZONE'),
  perPage: setting('DAYBOOK_PER_PAGE', 'items on a page', 'N'),
  siteUrl: setting('DAYBOOK_SITE_URL', 'public address of the site', 'URL'),
  siteName: setting('DAYBOOK_SITE_NAME', 'title of pages, calendars and feeds'),
  theme: setting('DAYBOOK_THEME', 'logo, colour and links of the pages', 'FILE'),
  media: setting('DAYBOOK_MEDIA', 'folder of uploaded pictures', 'DIR'),
  maxUpload: setting('DAYBOOK_MAX_UPLOAD', 'size of one uploaded file in MB', 'N'),
  importers: setting('DAYBOOK_IMPORTERS', 'who may import', 'WHO'),
  importNetwork: setting('DAYBOOK_IMPORT_NETWORK', 'addresses to import from', 'WORD'),
  language: setting('DAYBOOK_LANGUAGE', 'language of texts', 'CODE'),
  prefixAliases: setting('DAYBOOK_PREFIX_ALIASES', 'further prefixes of the API', 'PATHS'),
  trustProxy: setting('DAYBOOK_TRUST_PROXY', 'whether a proxy in front names clients', '0|1'),
  rateLimit: setting('DAYBOOK_RATE_LIMIT', 'requests of one address in a minute', 'N'),
  jwtIssuer: setting('DAYBOOK_JWT_ISSUER', 'issuer of a single sign-on', 'URL'),
  jwtAudience: setting('DAYBOOK_JWT_AUDIENCE', 'audience that its tokens must name'),
  jwksUrl: setting('DAYBOOK_JWKS_URL', 'where it publishes its keys', 'URL'),
  jwtRoleClaim: setting('DAYBOOK_JWT_ROLE_CLAIM', 'claim with the role', 'NAME'),
  jwtRoles: setting('DAYBOOK_JWT_ROLES', 'roles by the values of the claim', 'VALUE=ROLE,…'),
  signOnUrl: setting('DAYBOOK_SIGN_ON_URL', 'page of the single sign-on', 'URL'),
  signOnClient: setting('DAYBOOK_SIGN_ON_CLIENT', 'client of OpenID Connect', 'ID'),
  signOnSecretFile: setting('DAYBOOK_SIGN_ON_SECRET_FILE', 'its secret', 'FILE'),
  signOnName: setting('DAYBOOK_SIGN_ON_NAME', 'what the desk calls the issuer'),
  privateHosts: setting('DAYBOOK_PRIVATE_HOSTS', 'hosts of private networks that may be reached', 'HOSTS'),
  logLevel: setting('DAYBOOK_LOG_LEVEL', 'what is logged', 'LEVEL'),
  accessLog: setting('DAYBOOK_ACCESS_LOG', 'where each answer is logged', 'FILE'),
  tracing: setting('DAYBOOK_TRACING', 'whether requests are traced by OpenTelemetry', 'on|off'),
  submissions: setting('DAYBOOK_SUBMISSIONS', 'whether visitors may propose events', 'on|off'),
  mail: setting('DAYBOOK_MAIL', 'where mail goes', 'ADDRESS'),
  mailFrom: setting('DAYBOOK_MAIL_FROM', 'sender of mail', 'ADDRESS'),
  cacheSeconds: setting('DAYBOOK_CACHE_SECONDS', 'how long caches in front keep answers', 'N'),
  rawHtml: setting('DAYBOOK_RAW_HTML', 'whose HTML is shown with frames', 'WHO'),
  frameHosts: setting('DAYBOOK_FRAME_HOSTS', 'hosts of such frames', 'HOSTS'),
} as const;

/** Those of clients, and a secret: other users of a machine see the words of a process. */
const WITHOUT_OPTION = ['DAYBOOK_URL', 'DAYBOOK_TOKEN', 'DAYBOOK_SIGN_ON_SECRET'];

/** All settings. */
export const SETTINGS: readonly string[] = [
  ...Object.values(SETTING_OPTIONS).map(({ name }) => name),
  ...WITHOUT_OPTION,
];

/** The environment with the settings that were given as options: those come first. */
export const environmentWith = (
  options: { readonly [Name in keyof typeof SETTING_OPTIONS]?: string | undefined },
  environment: { readonly [name: string]: string | undefined },
): { readonly [name: string]: string | undefined } => ({
  ...environment,
  ...Object.fromEntries(
    Object.entries(SETTING_OPTIONS)
      .map(([key, { name }]) => [name, new Map(Object.entries(options)).get(key)])
      .filter(([, value]) => value !== undefined),
  ),
});
