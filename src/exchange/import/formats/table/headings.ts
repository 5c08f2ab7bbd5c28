// The names of columns, and the fields that they stand for.
import { foldToAscii } from '../../../../kernel/text/ascii-folding.ts';

/**
 * The usual names of columns but those of days and times, compared without case, accents, blanks and punctuation: English ones, then those of other
 * languages. Among them are the headings of The Events Calendar, Google Calendar and Outlook. A name may stand at
 * several fields (`Tag` is a day in German): then the cells decide.
 */
const HEADINGS = {
  uid: 'id, guid, eventid, externalid, key',
  title:
    'name, what, event, eventname, eventtitle, summary, subject, posttitle, activity, film, movie, show, course, coursename, coursetitle, lecture, holiday; titel, bezeichnung, veranstaltung, betreff, titre, nom, evenement, objet, titulo, nombre, evento, asunto, titolo, nome, oggetto, naam, onderwerp, タイトル, イベント名, 名称, 件名, 行事名, 催し名, assunto, was, wat, quoi, que, cosa, temat, tytul, nazwa, wydarzenie, 제목, 행사명, 공연명, 이벤트명, 标题, 活动名称, 活动, 標題, 活動名稱, 主題, 主题, rubrik, evenemang, benamning, amne, arrangement, begivenhed, overskrift, emne, tittel, navn, arrangementets navn, nimi, otsikko, tapahtuma, tapahtuman nimi, aihe, nazev, akce, nazev akce, predmet, udalost, cim, esemeny, esemeny neve, megnevezes, nev, targy, baslik, etkinlik, etkinlik adi, konu, gottesdienst, ferien, feiertag, abfallart, mullart, kurs, kursname, kurstitel, thema, vortrag, spectacle, atelier, pelicula, pellicola, spettacolo, spektakl, voorstelling, cursus, curso, corso',
  start: '',
  start_time: '',
  end: '',
  end_time: '',
  timezone:
    'tz, zone; zeitzone, fuseauhoraire, zonahoraria, fuso, fusoorario, fusohorario, tijdzone, strefaczasowa, タイムゾーン, tidszon, tidszone, tidssone, aikavyohyke, casove pasmo, idozona, saat dilimi',
  all_day:
    'allday, alldayevent, wholeday; ganztagig, ganztagigesereignis, ganztags, journeeentiere, toutelajournee, todoeldia, tuttoilgiorno, giornataintera, interagiornata, heledag, duurtheledag, duurteenheledag, gebeurtenisduurtheledag, diainteiro, odiainteiro, diatodo, odiatodo, eventodediainteiro, calydzien, calodniowe, wydarzeniecalodniowe, 終日, 終日イベント, heldag, heldagsevenemang, heldagsbegivenhed, heldagshendelse, hele dagen, koko paivan tapahtuma, koko paiva, cely den, celodenni, celodenni udalost, egesz napos, egesz napos esemeny, tum gun, tum gun etkinligi, butun gun',
  status: 'poststatus, publishstatus, publicationstatus, workflowstatus',
  private:
    'isprivate, privacy, inviteonly, isdraft, rejected, isrejected, confidential, sensitivity, visibility, internal, hidden, unlisted, members only, staff only, draft, password, deleted, archived, unpublished, restricted, hide, hidden from public, embargo; sperrfrist, nur intern, nur mitglieder, geschlossene gesellschaft, ausblenden, verbergen, besloten, verborgen, masque, cacher, confidentialite, privacidad, oculto, nascosto, riservatezza, privacidade, ukryte, 社内, 会員限定, 限定公開, passwort, geloscht, archiviert, mot de passe, supprime, archive, intern, versteckt, nur fur mitglieder, entwurf, interne, brouillon, interno, borrador, bozza, privat, vertraulich, vertraulichkeit, sichtbarkeit, prive, confidentiel, criteredediffusion, visibilite, privado, confidencial, sensibilidad, visibilidad, privato, riservato, visibilita, vertrouwelijk, zichtbaarheid, visibilidade, particular, sensibilidade, prywatne, プライベート, 秘密度, 非公開, 公開範囲, privat arrangement, fortroligt, fortrolig, synlighet, synlighed, yksityinen, luottamuksellinen, nakyvyys, soukrome, viditelnost, privat esemeny, lathatosag, maganjellegu, ozel, gizli, gorunurluk, konfidentiell, kansligt',
  public:
    'publish, visible, public event, publicly visible, show publicly, show on website, ispublic, published, ispublished, approved, is approved, listed, islisted; veroffentlichen, sichtbar, offentliche veranstaltung, offentlich sichtbar, auf website anzeigen, publier, publique, publicar, publicare, publiceren, zichtbaar, freigegeben, genehmigt, approuve, aprobado, approvato, goedgekeurd, aprovado, offentlich, veroffentlicht, publie, publico, publicado, pubblico, pubblicato, openbaar, gepubliceerd, publiczne, 公開, offentlig, publicerad, offentliggjort, publisert, julkinen, julkaistu, verejne, zverejneno, nyilvanos, herkese acik, yayinlandi',
  slug: '',
  venue:
    'location, place, where, venuename, locationname, placename, branch, room, building, hall, stadium, church, screen, theatre, theater, campus; ort, veranstaltungsort, spielort, lieu, emplacement, salle, lugar, ubicacion, sede, recinto, luogo, locatie, local, wo, waar, ou, donde, dove, onde, zaal, sala, miejsce, lokalizacja, gdzie, 場所, 場所名称, 会場, 会場名, 開催場所, 장소, 공연장, 地点, 地點, 場地, 场地, 场馆, plats, lokal, var, sted, hvor, spillested, spilested, paikka, tapahtumapaikka, missa, misto, misto konani, kde, helyszin, hely, hol, yer, mekan, nerede, konum, raum, saal, kirche, spielstatte, kursort, standort, gebaude, treffpunkt, stadion, batiment, eglise, edificio, sala, iglesia, chiesa, gebouw, kerk, ruimte',
  address:
    'street, streetaddress; adresse, anschrift, strasse, strase, rue, direccion, calle, indirizzo, adres, straat, endereco, morada, ulica, 住所, gatuadress, gade, vej, osoite, katuosoite, ulice, cim, utca, sokak',
  city: 'town; stadt, gemeinde, ville, commune, ciudad, localidad, municipio, citta, comune, stad, plaats, cidade, miasto, miejscowosc, 市区町村, poststed, kaupunki, paikkakunta, mesto, obec, varos, telepules, sehir, ilce',
  province:
    'state, region, stateprovince; bundesland, kanton, provincia, regione, provincie, estado, wojewodztwo, 都道府県, lan, fylke, maakunta, megye',
  zip: 'zipcode, postcode, postalcode; plz, postleitzahl, codepostal, codigopostal, cap, cep, kodpocztowy, 郵便番号, postnummer, postnr, postinumero, psc, iranyitoszam, posta kodu',
  country: 'nation; land, pays, pais, paese, kraj, 国, maa, zeme, stat, orszag, ulke',
  lat: 'latitude; breitengrad, latitud, 緯度',
  lng: 'lon, long, longitude; langengrad, longitud, 経度',
  organizer:
    'organiser, organizers, organisers, host, owner, organizername, organizernames, organizernamesorids, meetingorganizer; veranstalter, besprechungsplanung, organisateur, organisateurdunereunion, organizador, organizadordelareunion, organizzatore, organisator, organizator, 主催, 主催者, 会議の開催者, 주최, 主办方, 主辦, 主办单位, arrangor, jarjestaja, poradatel, szervezo, rendezo, duzenleyen',
  category:
    'categories, type, topic; kategorie, kategorien, rubrik, categorie, rubrique, categoria, categorias, soort, genere, genre, kategoria, カテゴリ, カテゴリー, 分類, 分類項目, kategori, typ, luokka, tyyppi, druh, tipus',
  tags: 'tag, keywords, labels; schlagworter, stichworte, motscles, etiquetas, etiquettes, etichette, trefwoorden, tagi, タグ, キーワード, nyckelord, etiketter, nogleord, stikkord, avainsanat, tunnisteet, stitky, cimkek, etiketler',
  url: 'website, link, web, web link, public url, eventurl, homepage; webseite, internetseite, siteweb, site, lien, sitio, sitioweb, enlace, sito, sitoweb, ホームページ, リンク, webbplats, webbsida, lank, hjemmeside, nettsted, nettside, lenke, verkkosivu, verkkosivusto, linkki, www, stranky, odkaz, honlap, weboldal, internet sitesi, baglanti',
  cost: 'price, fee, admission, ticketprice, admissionfee; preis, eintritt, kosten, prix, tarif, tarifs, precio, coste, entrada, prezzo, costo, ingresso, prijs, toegang, preco, ingressos, cena, wstep, bilety, 料金, 料金基本, 参加費, 入場料, 가격, 입장료, 요금, 票价, 票價, 价格, 價格, 费用, entree, pris, biljettpris, entre, billet, billetpris, billettpris, hinta, lippu, liput, vstupne, cena vstupenky, belepo, jegyar, ucret, fiyat, giris, gebuhr, kursgebuhr, teilnahmegebuhr, teilnehmerbeitrag, unkostenbeitrag, kostenbeitrag, entgelt',
  currency:
    'currencysymbol, currencycode, isocurrencycode; wahrung, devise, moneda, valuta, moeda, 通貨, valuutta, mena, penznem, para birimi',
  image:
    'picture, imageurl, photo, photo url, featuredimage; bild, titelbild, imagen, immagine, afbeelding, imagem, obraz, 画像, 写真, billede, bilde, kuva, obrazek, kep, resim, gorsel, cover, coverimage',
  description:
    'details, body, notes, text, content, postcontent; beschreibung, descripcion, descrizione, omschrijving, beschrijving, descricao, opis, 説明, 内容, 詳細, 설명, 내용, 描述, 说明, 介绍, 說明, beskrivning, beskrivelse, kuvaus, popis, leiras, aciklama, tekst',
  excerpt:
    'teaser, postexcerpt; kurzbeschreibung, extrait, extracto, 概要, sammanfattning, resume, sammendrag, tiivistelma, strucny popis, osszefoglalo, ozet',
  event_status:
    'canceled, cancelled, is canceled, is cancelled; abgesagt, entfallt, annule, cancelado, annullato, geannuleerd, odwolane, installt, aflyst, avlyst, peruttu, zruseno, 中止',
  recurrence:
    'rrule, recurrence rule, recurring, repeat, repeats, repetition; wiederholung, wiederholt sich, serie, periodicite, repeticion, recurrencia, ricorrenza, herhaling, powtarzanie, upprepning, gentagelse, gjentakelse, 繰り返し',
  accessibility:
    'wheelchair, access; barrierefreiheit, accessibilite, accesibilidad, accessibilita, acessibilidade, toegankelijkheid, dostepnosc, アクセシビリティ',
  age_range: 'age, ages, agegroup; alter, altersgruppe, edad, edades, eta, idade, idades, leeftijd, wiek, 対象年齢',
  languages:
    'language; sprache, sprachen, langue, langues, idioma, idiomas, lingua, lingue, linguas, taal, talen, jezyk, 言語',
  registration_url:
    'registration, registrationlink, tickets, ticketlink, ticketurl, ticketsurl; anmeldung, anmeldelink, karten, inscription, billetterie, inscripcion, entradas, iscrizione, biglietti, inscricao, bilhetes, aanmelding, kaarten, rejestracja, 申込, 申込先',
} as const;

export type Field = keyof typeof HEADINGS;
export const FIELDS = Object.keys(HEADINGS) as readonly Field[]; // The keys of this very object.

/** A name without case, accents, blanks and punctuation. */
export const compared = (name: string): string =>
  foldToAscii(name)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

const wordsOf = (list: string): string[] => list.split(', ').map(compared);

/** What headings of days and times of day are put together from, in any order: `Startuhrzeit`, `Datum von`, `Hora de fin`. */
const WHEN = {
  start:
    'start, starts, startsat, begin, begins; aanvangs, beginn, beginnt, anfang, anfangs, debut, inicio, inicial, comienzo, inizio, aanvang, poczatek, rozpoczecia, zacatek, zacatku, zahajeni, alku, alkaa, alkamis, kezdo, kezdes, kezdesi, kezdete, baslangic, baslama, 開始, 開催, 시작, 开始',
  end: 'end, ends, endsat, finish; ende, endet, schluss, fin, final, finalizacion, fine, termino, einde, eind, fim, koniec, zakonczenia, konec, konce, ukonceni, slut, slutt, loppu, loppuu, paattyy, paattymis, vege, befejezes, befejezo, zaro, bitis, 終了, 종료, 结束, 結束',
  from: 'from; von, ab, du, desde, dal, van, vanaf, od, fra, fran',
  until: 'until, till, to; bis, au, hasta, al, tot, ate, do, til',
  date: 'dates, date, daterange, period, day, when, dt; termine, zeitraum, periode, periodo, fechas, 日程, 期間, dataeora, dataehora, fechayhora, dataigodzina, datum, datuma, tag, am, wann, jour, quand, fecha, dia, cuando, data, giorno, quando, dag, wanneer, dzien, kiedy, termin, den, kdy, dato, nar, hvornar, paiva, paivamaara, milloin, nap, mikor, tarih, tarihi, gun, nezaman, 日, 日付, 日時, 日期, 날짜, 일자, 일시, 일',
  time: 'time, showtime, showtimes; uhrzeit, zeit, um, heure, heures, horaire, horaires, hora, horas, horario, horarios, ora, ore, orario, orari, tijd, godzina, czas, cas, hodina, tid, tidspunkt, klokkeslett, klokken, klockslag, kellonaika, aika, klo, ido, ideje, idopont, idopontja, saat, saati, 時刻, 時間, 시간, 시각, 时间, 时刻',
  link: 'at, of, the, and; de, di, da, der, des, del, und, et, en, og, och, ja',
} as const;

type When = keyof typeof WHEN;

/** What each word stands for, and whether it is English; long ones first. */
const WORDS = (Object.keys(WHEN) as When[]) // The keys of this very object.
  .flatMap((stands) => {
    const [english = '', foreign = ''] = WHEN[stands].split('; ');
    const entriesOf = (list: string, isEnglish: boolean) => wordsOf(list).map((word) => ({ word, stands, isEnglish }));
    return [...entriesOf(english, true), ...entriesOf(foreign, false)];
  })
  .sort((one, other) => other.word.length - one.word.length);

/** The words that a heading is put together from; null for one that has others. */
function whenWords(name: string): readonly (typeof WORDS)[number][] | null {
  if (name === '') return [];
  for (const word of WORDS) {
    const rest = name.startsWith(word.word) ? whenWords(name.slice(word.word.length)) : null;
    if (rest !== null) return [word, ...rest];
  }
  return null;
}

/** No heading of a day or a time is longer. */
const LONGEST_WHEN = 40;

/** Beside `fin` the `do` of `data do fim` is no end, and beside both ends of a range it is where that begins. */
function whenOf(name: string): readonly Field[] {
  const words = name.length > LONGEST_WHEN ? null : whenWords(name);
  if (words?.at(0)?.stands === 'link' || words?.at(-1)?.stands === 'link') return [];
  const has = (one: When): boolean => words?.some(({ stands }) => stands === one) ?? false;
  if (!has('start') && !has('end') && !has('from') && !has('until') && !has('date') && !has('time')) return [];
  const isEnd = has('end') || has('start') ? has('end') && !has('start') : has('until') && !has('from');
  return [`${isEnd ? 'end' : 'start'}${has('time') && !has('date') ? '_time' : ''}`];
}

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
  /^(?:event|veranstaltungs?|evenement|evento|wydarzenia|arrangement|tapahtuman?|akce|esemeny|etkinlik|イベント)|(?:ofthe|of|de|del|dell|do|van|vanhet|der)?(?:event|veranstaltung|evenement|evento|wydarzenia)$/;
/** `Venue City` is a part of the place, `Venue Website` is nothing of the event. */
const PLACE: ReadonlySet<Field> = new Set(['address', 'city', 'province', 'zip', 'country', 'lat', 'lng']);

/** `Nicht öffentlich`, `Do not publish` */
const NEGATION = /^(?:donot|not|non|nepas|no|nicht|niet|nao|nie|ikke|inte|ej|ei)/;

/** No heading that stands for a field is longer. */
const LONGEST = 200;

/** The fields that a name may stand for, with or without a remark in brackets; empty for one that is not known. */
export function fieldsNamed(name: string): readonly Field[] {
  if (name.length > LONGEST) return [];
  for (const one of [name, name.replace(/[([（].*$/u, '')]) {
    const whole = compared(one);
    const fields = [...(ENGLISH.get(whole) ?? []), ...(FOREIGN.get(whole) ?? []), ...whenOf(whole)];
    if (fields.length > 0) return fields;
    const unsaid = whole.replace(NEGATION, '');
    if (unsaid !== whole && [ENGLISH, FOREIGN].some((names) => names.get(unsaid)?.includes('public')))
      return ['private'];
    const rest = whole.replace(OF_EVENTS, '');
    if (rest !== whole && rest !== '') return fieldsNamed(rest);
    const ofPlace = whole.replace(/^(?:venue|location)/, '');
    if (ofPlace !== whole) return fieldsNamed(ofPlace).filter((field) => PLACE.has(field));
  }
  return [];
}

/** Whether a name says who may see an event, or whether it takes place. */
export const isOfPublication = (name: string): boolean =>
  fieldsNamed(name).some((field) => ['status', 'private', 'public', 'event_status'].includes(field));

/** Whether more names are of other languages than of English, whose dates may have the month first. */
export function areForeign(names: readonly string[]): boolean {
  const isSide = (name: string, at: number): boolean => SIDES.some((lists) => lists[at]?.includes(name));
  const headings = names
    .map(compared)
    .filter((name) => isSide(name, 0) || isSide(name, 1) || fieldsNamed(name).length > 0);
  const isEnglish = (name: string): boolean =>
    ENGLISH.has(name) || isSide(name, 0) || (whenWords(name)?.every((word) => word.isEnglish) ?? false);
  return headings.filter((name) => !isEnglish(name)).length > headings.length / 2;
}

/** The Events Calendar documents that commas separate the values of these. */
const COMMA_LISTS: ReadonlySet<string> = new Set(
  ['category', 'categories', 'tags', 'organizername', 'organizernames', 'organizernamesorids', 'organizers'].map(
    (name) => `event${name}`,
  ),
);

export const isCommaList = (column: string): boolean => COMMA_LISTS.has(compared(column));

/** Names of what a table has other names for as well: they count where it has not. */
const LAST: ReadonlySet<string> = new Set(
  wordsOf(
    'activity, show, film, movie, holiday, course, lecture, thema, kurs, cursus, curso, corso, room, building, hall, screen, campus, church, raum, saal, kirche, gebaude, standort, treffpunkt, sala, salle, zaal, batiment, edificio, ruimte',
  ),
);

export const isLast = (name: string): boolean => LAST.has(compared(name));

/** The column with one of these names. */
export const columnNamed = (columns: readonly string[], names: readonly string[]): string | undefined =>
  columns.find((column) => names.includes(compared(column)));

/** Who plays at home, and against whom. */
const SIDES = [
  'home, home team; heim, heimmannschaft, heimteam, heimverein, gastgeber, domicile, equipe domicile, recevant, local, equipo local, casa, squadra di casa, thuis, thuisteam, thuisploeg, equipa da casa, mandante, ホーム, hemma, hemmalag, hjemme, hjemmehold, hjemmelag, koti, kotijoukkue, domaci, hazai, ev sahibi, gospodarze',
  'away, away team, visitors, guest; gast, gaste, gastmannschaft, gastteam, gastverein, exterieur, equipe exterieure, visiteur, visiteurs, visitante, equipo visitante, ospite, ospiti, fuori casa, uit, uitteam, uitploeg, fora, equipa visitante, アウェイ, アウェー, ビジター, borta, bortalag, ude, udehold, borte, bortelag, vieras, vierasjoukkue, hoste, vendeg, deplasman, goscie',
].map((list) => list.split('; ').map(wordsOf));

/** The columns of both sides of matches; empty if one of them is missing. */
export function sidesAmong(columns: readonly string[]): readonly string[] {
  const [home, away] = SIDES.map((names) => columnNamed(columns, names.flat()));
  return home === undefined || away === undefined ? [] : [home, away];
}
