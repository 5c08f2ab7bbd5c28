// All languages but English; the compiler sees here that they have the texts of English.
import de from '../../../src/locales/de.json' with { type: 'json' };
import es from '../../../src/locales/es.json' with { type: 'json' };
import fr from '../../../src/locales/fr.json' with { type: 'json' };
import it from '../../../src/locales/it.json' with { type: 'json' };
import ja from '../../../src/locales/ja.json' with { type: 'json' };
import type { Texts } from '../../../src/locales/language.ts';
import nl from '../../../src/locales/nl.json' with { type: 'json' };
import pt from '../../../src/locales/pt.json' with { type: 'json' };

export const TRANSLATIONS: readonly Texts[] = [de, fr, es, it, pt, nl, ja];
