// Names of topics and languages as people write them.

const TOPICS: { readonly [topic: string]: string } = {
  api: 'API',
  cfml: 'CFML',
  cpp: 'C++',
  css: 'CSS',
  devops: 'DevOps',
  dotnet: '.NET',
  golang: 'Go',
  graphql: 'GraphQL',
  ios: 'iOS',
  iot: 'IoT',
  javascript: 'JavaScript',
  opensource: 'Open Source',
  php: 'PHP',
  sre: 'SRE',
  'tech-comm': 'Tech Comm',
  typescript: 'TypeScript',
  ux: 'UX',
};

/** `tech-comm` is Tech Comm; words that nobody listed get a capital. */
export const topicName = (topic: string): string =>
  TOPICS[topic] ??
  topic
    .split(/[-_ ]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');

const languages = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'code' });

/** `de` is German; what is no language is its own name in capitals. */
export function languageName(code: string): string {
  try {
    const name = languages.of(code);
    return name === undefined || name === code ? code.toUpperCase() : name;
  } catch {
    return code.toUpperCase();
  }
}
