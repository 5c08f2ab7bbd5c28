// The names of columns, and the fields that they stand for.
import { foldToAscii } from '../../../../kernel/text/ascii-folding.ts';

/**
 * The usual names of columns, compared without case, accents, blanks and punctuation: English ones, then those of other
 * languages. Among them are the headings of The Events Calendar, Google Calendar and Outlook. A name may stand at
 * several fields (`Tag` is a day in German): then the cells decide.
 */
const HEADINGS = {
  uid: 'id, guid, eventid, externalid, key',
  title:
    'name, event, eventname, eventtitle, summary, subject; titel, bezeichnung, veranstaltung, betreff, titre, nom, evenement, objet, titulo, nombre, evento, asunto, titolo, nome, oggetto, naam, onderwerp, タイトル, イベント名, 名称, 件名, 行事名, 催し名, assunto, was, wat, quoi, que, cosa, temat, tytul, nazwa, wydarzenie',
  start:
    'startdate, startdatetime, startsat, date, datetime, dateandtime, day, begin, begins, from, when, dtstart; beginn, beginnt, beginntam, startdatum, anfang, datum, tag, von, wann, debut, datedebut, datededebut, jour, du, quand, inicio, fechainicio, fechadeinicio, fechadecomienzo, comienzo, fecha, dia, desde, cuando, inizio, datainizio, datadiinizio, giorno, quando, data, dtinicio, datadeinicio, datainicio, begindatum, aanvang, dag, wanneer, datumuhrzeit, datumundzeit, datumunduhrzeit, datumentijd, dateheure, dateetheure, fechahora, fechayhora, dataora, dataeora, datahora, dataehora, poczatek, datarozpoczecia, dzien, kiedy, termin, 開始, 開始日, 開始日時, 開催日, 開催日時, 日付, 日時',
  start_time:
    'starttime, time, begintime; startzeit, uhrzeit, zeit, anfangszeit, beginnzeit, beginntum, heure, heuredebut, heurededebut, heures, horaire, horaires, hora, horainicio, horadecomienzo, horario, ora, orainizio, oradiinizio, orario, tijd, begintijd, starttijd, aanvangstijd, ore, horas, horadeinicio, horarios, orari, czas, godzina, godzinarozpoczecia, czasrozpoczecia, 開始時刻, 開始時間, 開催時間, 時刻, 時間',
  end: 'enddate, enddatetime, endsat, ends, finish, until, to, dtend; ende, endet, endetam, enddatum, bis, fin, datefin, datedefin, au, fechafin, fechadefin, fechadefinalizacion, finalizacion, hasta, fine, datafine, datadifine, einde, einddatum, tot, fim, datafim, datadefim, datadofim, termino, datatermino, datadetermino, koniec, datazakonczenia, 終了, 終了日, 終了日時',
  end_time:
    'endtime, finishtime; endzeit, endetum, heurefin, heuredefin, horafin, horadefin, horadefinalizacion, orafine, oradifine, eindtijd, horafim, horadefim, horadofim, horatermino, horadetermino, godzinazakonczenia, czaszakonczenia, 終了時刻, 終了時間',
  timezone:
    'tz, zone; zeitzone, fuseauhoraire, zonahoraria, fuso, fusoorario, fusohorario, tijdzone, strefaczasowa, タイムゾーン',
  all_day:
    'allday, alldayevent, wholeday; ganztagig, ganztagigesereignis, ganztags, journeeentiere, toutelajournee, todoeldia, tuttoilgiorno, giornataintera, interagiornata, heledag, duurtheledag, duurteenheledag, gebeurtenisduurtheledag, diainteiro, odiainteiro, diatodo, odiatodo, eventodediainteiro, calydzien, calodniowe, wydarzeniecalodniowe, 終日, 終日イベント',
  status: 'poststatus',
  private:
    'isprivate, confidential, sensitivity, visibility; privat, vertraulich, vertraulichkeit, sichtbarkeit, prive, confidentiel, criteredediffusion, visibilite, privado, confidencial, sensibilidad, visibilidad, privato, riservato, visibilita, vertrouwelijk, zichtbaarheid, visibilidade, particular, sensibilidade, prywatne, プライベート, 秘密度, 非公開, 公開範囲',
  public:
    'ispublic, published, ispublished; offentlich, veroffentlicht, publie, publico, publicado, pubblico, pubblicato, openbaar, gepubliceerd, publiczne, 公開',
  slug: '',
  venue:
    'location, place, where, venuename; ort, veranstaltungsort, spielort, lieu, emplacement, salle, lugar, ubicacion, sede, recinto, luogo, locatie, local, wo, waar, ou, donde, dove, onde, zaal, sala, miejsce, lokalizacja, gdzie, 場所, 場所名称, 会場, 会場名, 開催場所',
  address:
    'street, streetaddress; adresse, anschrift, strasse, strase, rue, direccion, calle, indirizzo, adres, straat, endereco, morada, ulica, 住所',
  city: 'town; stadt, gemeinde, ville, commune, ciudad, localidad, municipio, citta, comune, stad, plaats, cidade, miasto, miejscowosc, 市区町村',
  province:
    'state, region, stateprovince; bundesland, kanton, provincia, regione, provincie, estado, wojewodztwo, 都道府県',
  zip: 'zipcode, postcode, postalcode; plz, postleitzahl, codepostal, codigopostal, cap, cep, kodpocztowy, 郵便番号',
  country: 'land, pays, pais, paese, kraj, 国',
  lat: 'latitude; breitengrad, latitud, 緯度',
  lng: 'lon, long, longitude; langengrad, longitud, 経度',
  organizer:
    'organiser, organizers, organisers, host, owner, organizername, organizernames, organizernamesorids, meetingorganizer; veranstalter, besprechungsplanung, organisateur, organisateurdunereunion, organizador, organizadordelareunion, organizzatore, organisator, organizator, 主催, 主催者, 会議の開催者',
  category:
    'categories, type, topic; kategorie, kategorien, rubrik, categorie, rubrique, categoria, categorias, soort, genere, genre, kategoria, カテゴリ, カテゴリー, 分類, 分類項目',
  tags: 'tag, keywords, labels; schlagworter, stichworte, motscles, etiquetas, etiquettes, etichette, trefwoorden, tagi, タグ, キーワード',
  url: 'website, link, web, eventurl, homepage; webseite, internetseite, siteweb, site, lien, sitio, sitioweb, enlace, sito, sitoweb, ホームページ, リンク',
  cost: 'price, fee, admission, ticketprice; preis, eintritt, kosten, prix, tarif, tarifs, precio, coste, entrada, prezzo, costo, ingresso, prijs, toegang, preco, ingressos, cena, wstep, bilety, 料金, 料金基本, 参加費, 入場料',
  currency: 'currencysymbol, currencycode, isocurrencycode; wahrung, devise, moneda, valuta, moeda, 通貨',
  image:
    'picture, imageurl, photo, featuredimage; bild, titelbild, imagen, immagine, afbeelding, imagem, obraz, 画像, 写真',
  description:
    'details, body, notes, text, content; beschreibung, descripcion, descrizione, omschrijving, beschrijving, descricao, opis, 説明, 内容, 詳細',
  excerpt: 'teaser; kurzbeschreibung, extrait, extracto, 概要',
  event_status: '',
} as const;

export type Field = keyof typeof HEADINGS;
export const FIELDS = Object.keys(HEADINGS) as readonly Field[]; // The keys of this very object.

/** A name without case, accents, blanks and punctuation. */
export const compared = (name: string): string =>
  foldToAscii(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const wordsOf = (list: string): string[] => list.split(', ').map(compared);

const ENGLISH = new Map<string, Field[]>();
const FOREIGN = new Map<string, Field[]>();
for (const field of FIELDS) {
  const [english = '', foreign = ''] = HEADINGS[field].split('; ');
  for (const name of new Set([compared(field), ...wordsOf(english)]))
    ENGLISH.set(name, [...(ENGLISH.get(name) ?? []), field]);
  for (const name of wordsOf(foreign)) FOREIGN.set(name, [...(FOREIGN.get(name) ?? []), field]);
}

/** What columns of events begin or end with, such as `Event Start Date` and `Date de l'événement`. */
const OF_EVENTS =
  /^(?:event|veranstaltungs?|evenement|evento|wydarzenia|イベント)|(?:ofthe|of|de|del|dell|do|van|vanhet|der)?(?:event|veranstaltung|evenement|evento|wydarzenia)$/;
/** `Venue City` is a part of the place, `Venue Website` is nothing of the event. */
const PLACE: ReadonlySet<Field> = new Set(['address', 'city', 'province', 'zip', 'country', 'lat', 'lng']);

/** The fields that a name may stand for, with or without a remark in brackets; empty for one that is not known. */
export function fieldsNamed(name: string): readonly Field[] {
  for (const one of [name, name.replace(/[([（].*$/u, '')]) {
    const whole = compared(one);
    const fields = [...(ENGLISH.get(whole) ?? []), ...(FOREIGN.get(whole) ?? [])];
    if (fields.length > 0) return fields;
    const rest = whole.replace(OF_EVENTS, '');
    if (rest !== whole && rest !== '') return fieldsNamed(rest);
    if (whole.startsWith('venue')) return fieldsNamed(whole.slice('venue'.length)).filter((field) => PLACE.has(field));
  }
  return [];
}

/** Whether more names are of other languages than of English, whose dates may have the month first. */
export function areForeign(names: readonly string[]): boolean {
  const known = names.map(compared).filter((name) => ENGLISH.has(name) || FOREIGN.has(name));
  return known.filter((name) => !ENGLISH.has(name)).length > known.length / 2;
}

/** The Events Calendar documents that commas separate the values of these. */
const COMMA_LISTS: ReadonlySet<string> = new Set(
  ['category', 'categories', 'tags', 'organizername', 'organizernames', 'organizernamesorids', 'organizers'].map(
    (name) => `event${name}`,
  ),
);

export const isCommaList = (column: string): boolean => COMMA_LISTS.has(compared(column));

/** The column with one of these names. */
export const columnNamed = (columns: readonly string[], names: readonly string[]): string | undefined =>
  columns.find((column) => names.includes(compared(column)));
