// Abbreviations of time zones. `Intl` has letters for a few English-speaking regions only, so the names of the tz
// database are kept here: per family of zones one name per offset. If a zone has used two names for one offset over the
// years, the later one is listed. Zones without letters (`+04`) are not listed. COMPAT: abbreviations are accepted and
// shown as in PHP.

type Family = readonly [names: string, zones: string];

/**
 * Abbreviations accepted as a zone: a fixed offset in hours, never daylight saving. Ambiguous ones (`IST`, `BST`,
 * `CST`) have the meaning that date parsers commonly give them.
 */
const FIXED_OFFSET_HOURS: Readonly<Record<string, number>> = {
  GMT: 0,
  WET: 0,
  WEST: 1,
  BST: 1,
  CET: 1,
  MET: 1,
  WAT: 1,
  CEST: 2,
  MEST: 2,
  EET: 2,
  CAT: 2,
  SAST: 2,
  IST: 2,
  EEST: 3,
  IDT: 3,
  MSK: 3,
  EAT: 3,
  MSD: 4,
  PKT: 5,
  WIB: 7,
  AWST: 8,
  HKT: 8,
  WITA: 8,
  SGT: 8,
  JST: 9,
  KST: 9,
  WIT: 9,
  ACST: 9.5,
  AEST: 10,
  CHST: 10,
  ACDT: 10.5,
  AEDT: 11,
  NZST: 12,
  NZDT: 13,
  NDT: -2.5,
  ADT: -3,
  NST: -3.5,
  AST: -4,
  EDT: -4,
  EST: -5,
  CDT: -5,
  CST: -6,
  MDT: -6,
  MST: -7,
  PDT: -7,
  PST: -8,
  AKDT: -8,
  AKST: -9,
  HDT: -9,
  HST: -10,
  SST: -11,
};

/**
 * Each entry: `±hhmm NAME` pairs, then the zones as `Area: Place Place; Area: Place` (an empty area for single names).
 */
const FAMILIES: readonly Family[] = [
  ['+0000 UTC', 'Etc: UCT UTC Universal Zulu; : UCT Universal Zulu'],
  ['+0000 GMT', 'Etc: GMT GMT+0 GMT-0 GMT0 Greenwich'],
  ['-1100 BST -1000 HST -0900 HDT', 'America: Adak Atka; : HST; Pacific: Honolulu Johnston; US: Aleutian Hawaii'],
  ['-1100 SST', 'Pacific: Midway Pago_Pago Samoa; US: Samoa'],
  ['-1100 BST -1000 BDT -0900 AKST -0800 AKDT', 'America: Nome'],
  ['-1000 AHST -0900 AKST -0800 AKDT -0700 PDT', 'America: Anchorage Juneau Metlakatla Sitka Yakutat; US: Alaska'],
  [
    '-0900 YST -0800 PST -0700 MST -0600 CST -0500 CDT -0400 EDT',
    'America: Bahia_Banderas Belize Chicago Chihuahua Costa_Rica Creston Dawson Dawson_Creek El_Salvador ' +
      'Fort_Nelson Guatemala Indiana/Knox Indiana/Tell_City Knox_IN Managua Matamoros Menominee Merida Mexico_City ' +
      'Monterrey North_Dakota/Beulah North_Dakota/Center North_Dakota/New_Salem Ojinaga Phoenix Rainy_River ' +
      'Rankin_Inlet Regina Resolute Swift_Current Tegucigalpa Whitehorse Winnipeg; : CST6CDT MST; Canada: Central ' +
      'Saskatchewan Yukon; Mexico: General; US: Arizona Central Indiana-Starke',
  ],
  [
    '-0800 PST -0700 MST -0600 MDT -0500 EST',
    'America: Boise Cambridge_Bay Denver Edmonton Hermosillo Inuvik Mazatlan Shiprock Yellowknife; Canada: ' +
      'Mountain; : MST7MDT Navajo; Mexico: BajaSur; US: Mountain',
  ],
  [
    '-0800 PST -0700 PDT',
    'America: Ensenada Los_Angeles Santa_Isabel Tijuana Vancouver; Canada: Pacific; Mexico: BajaNorte; : PST8PDT; ' +
      'US: Pacific',
  ],
  ['-0700 MST -0600 MDT -0500 CDT', 'America: Ciudad_Juarez'],
  [
    '-0600 CST -0500 EST -0400 EDT',
    'America: Atikokan Cancun Cayman Coral_Harbour Detroit Fort_Wayne Grand_Turk Indiana/Indianapolis ' +
      'Indiana/Marengo Indiana/Petersburg Indiana/Vevay Indiana/Vincennes Indiana/Winamac Indianapolis Iqaluit ' +
      'Jamaica Kentucky/Louisville Kentucky/Monticello Louisville Montreal Nassau New_York Nipigon Panama ' +
      'Pangnirtung Port-au-Prince Thunder_Bay Toronto; Canada: Eastern; : EST EST5EDT Jamaica; US: East-Indiana ' +
      'Eastern Michigan',
  ],
  [
    '-0500 EST -0400 AST',
    'America: Anguilla Antigua Aruba Blanc-Sablon Curacao Dominica Grenada Guadeloupe Kralendijk Lower_Princes ' +
      'Marigot Miquelon Montserrat Port_of_Spain Puerto_Rico Santo_Domingo St_Barthelemy St_Kitts St_Lucia ' +
      'St_Thomas St_Vincent Tortola Virgin',
  ],
  ['-0500 CST -0400 CDT', 'America: Havana; : Cuba'],
  [
    '-0400 AST -0300 ADT -0200 ADDT',
    'America: Barbados Glace_Bay Goose_Bay Halifax Martinique Moncton Thule; Atlantic: Bermuda; Canada: Atlantic',
  ],
  ['-0330 NST -0230 NDT -0130 NDDT', 'America: St_Johns; Canada: Newfoundland'],
  [
    '+0000 GMT +0100 BST',
    'Africa: Abidjan Accra Bamako Banjul Bissau Conakry Dakar Freetown Lome Monrovia Nouakchott Ouagadougou ' +
      'Timbuktu; America: Danmarkshavn; Atlantic: Reykjavik St_Helena; Europe: Belfast Guernsey Isle_of_Man Jersey ' +
      'London; : GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich Iceland',
  ],
  [
    '+0000 WET +0100 CET +0200 CEST',
    'Africa: Algiers Ceuta Tunis; Arctic: Longyearbyen; Atlantic: Jan_Mayen; : CET Poland; Europe: Amsterdam ' +
      'Andorra Belgrade Berlin Bratislava Brussels Budapest Busingen Copenhagen Gibraltar Ljubljana Luxembourg ' +
      'Madrid Malta Monaco Oslo Paris Podgorica Prague Rome San_Marino Sarajevo Skopje Stockholm Tirane Vaduz ' +
      'Vatican Vienna Warsaw Zagreb Zurich',
  ],
  [
    '+0000 GMT +0100 WAT +0200 WAST',
    'Africa: Bangui Brazzaville Douala Kinshasa Lagos Libreville Luanda Malabo Ndjamena Niamey Porto-Novo ' +
      'Sao_Tome',
  ],
  ['+0000 WET +0100 WEST +0200 CEST', 'Atlantic: Canary Faeroe Faroe Madeira; Europe: Lisbon; : Portugal WET'],
  ['+0000 GMT +0100 IST', ': Eire; Europe: Dublin'],
  [
    '+0100 CET +0200 EET +0300 EEST +0400 MSD',
    'Africa: Cairo Tripoli; Asia: Beirut Famagusta Gaza Hebron Nicosia; : EET Egypt Libya; Europe: Athens ' +
      'Bucharest Chisinau Helsinki Kiev Kyiv Mariehamn Nicosia Riga Sofia Tallinn Tiraspol Uzhgorod Vilnius ' +
      'Zaporozhye',
  ],
  [
    '+0100 WAT +0200 CAT +0300 EAT',
    'Africa: Addis_Ababa Asmara Asmera Dar_es_Salaam Djibouti Juba Kampala Khartoum Mogadishu Nairobi Windhoek; ' +
      'Indian: Antananarivo Comoro Mayotte',
  ],
  ['+0100 MET +0200 MEST', ': MET'],
  ['+0100 WEST', 'Atlantic: Azores'],
  ['+0200 CAT', 'Africa: Blantyre Bujumbura Gaborone Harare Kigali Lubumbashi Lusaka Maputo'],
  ['+0200 EET', 'Asia: Amman Damascus Istanbul; Europe: Istanbul; : Turkey'],
  ['+0200 EET +0300 MSK +0400 MSK', 'Europe: Kirov Moscow Simferopol; : W-SU'],
  ['+0200 IST +0300 IDT', 'Asia: Jerusalem Tel_Aviv; : Israel'],
  ['+0200 SAST', 'Africa: Johannesburg Maseru Mbabane'],
  ['+0200 EET +0400 MSD', 'Europe: Kaliningrad Minsk'],
  ['+0300 MSK', 'Europe: Volgograd'],
  ['+0500 PKT +0600 PKST', 'Asia: Karachi'],
  ['+0530 IST', 'Asia: Calcutta Kolkata'],
  ['+0700 WIB +0800 WITA', 'Asia: Jakarta Makassar Pontianak Ujung_Pandang'],
  ['+0800 CST +0900 CDT', 'Asia: Chongqing Chungking Harbin Macao Macau Shanghai Taipei; : PRC ROC'],
  ['+0800 HKT +0900 HKST', 'Asia: Hong_Kong; : Hongkong'],
  ['+0800 AWST +0900 AWDT', 'Australia: Perth West'],
  ['+0800 PST +0900 PDT', 'Asia: Manila'],
  ['+0830 KST +0900 KST +1000 KDT', 'Asia: Pyongyang Seoul; : ROK'],
  ['+0900 JST', 'Asia: Tokyo; : Japan'],
  ['+0900 WIT', 'Asia: Jayapura'],
  ['+0930 ACST +1030 ACDT', 'Australia: Adelaide Broken_Hill Darwin North South Yancowinna'],
  [
    '+1000 AEST +1100 AEDT',
    'Antarctica: Macquarie; Australia: ACT Brisbane Canberra Currie Hobart Lindeman Melbourne NSW Queensland ' +
      'Sydney Tasmania Victoria',
  ],
  ['+1000 ChST +1100 GDT', 'Pacific: Guam Saipan'],
  ['+1000 AEST', 'Australia: LHI Lord_Howe'],
  ['+1200 NZST +1300 NZDT', 'Antarctica: McMurdo South_Pole; : NZ; Pacific: Auckland'],
];

const namesByZone = readFamilies();

/** The abbreviation of `zoneName` (an IANA name in lower case) at an offset in seconds; undefined if it has none. */
export function alphabeticAbbreviation(zoneName: string, offset: number): string | undefined {
  return namesByZone.get(zoneName)?.get(offset);
}

/** Seconds east of UTC of an abbreviation in any case; undefined if unknown. */
export function fixedAbbreviationOffset(text: string): number | undefined {
  if (!/^[a-z]{3,4}$/i.test(text)) return undefined;
  const key = text.toUpperCase();
  if (!Object.hasOwn(FIXED_OFFSET_HOURS, key)) return undefined;
  const hours = FIXED_OFFSET_HOURS[key];
  return hours === undefined ? undefined : hours * 3600;
}

function readFamilies(): ReadonlyMap<string, ReadonlyMap<number, string>> {
  const byZone = new Map<string, ReadonlyMap<number, string>>();
  for (const [names, zones] of FAMILIES) {
    const byOffset = readNames(names);
    for (const zone of readZones(zones)) byZone.set(zone, byOffset);
  }
  return byZone;
}

function readNames(text: string): ReadonlyMap<number, string> {
  const byOffset = new Map<number, string>();
  for (const [, sign, hours, minutes, name = ''] of text.matchAll(/([+-])(\d\d)(\d\d) (\w+)/g)) {
    const size = Number(hours) * 3600 + Number(minutes) * 60;
    byOffset.set(sign === '-' && size !== 0 ? -size : size, name);
  }
  return byOffset;
}

function readZones(text: string): string[] {
  return text.split('; ').flatMap((group) => {
    const [area = '', places = ''] = group.split(': ');
    const prefix = area === '' ? '' : `${area.toLowerCase()}/`;
    return places.split(' ').map((place) => prefix + place.toLowerCase());
  });
}
