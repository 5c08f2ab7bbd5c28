// German.
//
// Manner: neutral and short. Nobody is addressed: what to do next stands in the infinitive ("Eine frühere Seite anfordern.").
// Names of parameters, members, headers and values (as_of, data.conflicts, publish) stay as they are. Quotes: „…“.
//
//   event Veranstaltung         venue Veranstaltungsort    organizer Veranstalter       category Kategorie
//   tag Schlagwort              term Begriff               id Kennung                   slug Kurzname
//   title Titel                 excerpt Kurztext           featured hervorgehoben       pinned angeheftet
//   status Status               draft Entwurf              trash Papierkorb             author Verfasser
//   revision Fassung            to revert zurücksetzen     history Verlauf              fact Vorgang
//   log Protokoll               views Sichten              position Position            feed of changes Änderungen
//   parameter Parameter         route Pfad                 request Anfrage              answer Antwort
//   user, account Konto         token Token
//   sign-in data Anmeldedaten   single sign-on Einmalanmeldung
//   to sign in anmelden         right Recht                body Inhalt (of a request)   list Liste
import type { Translation } from './language.ts';

const PASSWORD_SET = { by: 'before.password', some: 'Passwort geändert.', none: 'Passwort gesetzt.' };
const PASSWORD_REMOVED = 'Passwort entfernt.';
const PUBLISHED = 'Veröffentlicht.';
const SCHEDULED = 'Zur Veröffentlichung am {date} vorgemerkt.';
const DRAFT = 'Wieder zum Entwurf gemacht.';
const PENDING = 'Zur Prüfung vorgelegt.';
const PRIVATE = 'Auf privat gestellt.';
const TRASHED = 'In den Papierkorb gelegt.';
const RESTORED = 'Aus dem Papierkorb geholt, Status {status}.';
const SLUG = {
  by: 'before.slug',
  some: 'Kurzname von {before.slug} zu {slug} geändert.',
  none: 'Kurzname {slug} vergeben.',
};
const DATED = 'Veröffentlichungsdatum auf {date} gesetzt.';
const UNDATED = 'Veröffentlichungsdatum offen gelassen.';
const REASSIGNED = 'Verfasser {author} zugeordnet.';
const DESCRIBED = { by: 'description', some: 'Beschreibung geändert.', none: 'Beschreibung entfernt.' };
const IMAGE = { by: 'image', some: 'Bild geändert.', none: 'Bild entfernt.' };
const MAP_DISPLAY = 'Anzeige der Karte geändert.';
const REVERTED = 'Auf Fassung {fact.toRevision} zurückgesetzt.';
const TERM_CREATED = 'Als „{name}“ angelegt.';
const TERM_RENAMED = 'Von „{before.name}“ in „{name}“ umbenannt.';
const TERM_MOVED = {
  by: 'parent',
  some: 'Unter den Begriff {parent} verschoben.',
  none: 'Auf die oberste Ebene verschoben.',
};
const TERM_DELETED = 'Gelöscht.';
const TERM_RESTORED = 'Nach dem Löschen wiederhergestellt.';

export const GERMAN: Translation = {
  code: 'de',
  free: 'Kostenlos',
  errors: {
    rest_no_route:
      'Unter diesem Pfad antwortet mit dieser Methode nichts. Das Verzeichnis im Stamm der API nennt alle Pfade.',
    rest_invalid_namespace: 'Diesen Namensraum gibt es nicht. Das Argument weglassen oder den dieser API senden.',
    rest_invalid_json:
      'Der Inhalt ist kein gültiges JSON in UTF-8. Ihn berichtigen oder mit seinem eigenen Inhaltstyp senden.',
    rest_invalid_form: 'Das mehrteilige Formular ist nicht lesbar. Trennmarke und Vollständigkeit prüfen.',
    rest_too_many_parameters:
      'Adresse oder Formular haben zu viele oder zu tief geschachtelte Angaben. Weniger davon senden.',
    rest_invalid_host: 'Die Kopfzeile Host ist kein Rechnername mit oder ohne Port.',
    rest_bad_request: 'Die Anfrage ist kein gültiges HTTP.',
    rest_callback_disabled: 'JSONP wird nicht angeboten. _jsonp weglassen und eine CORS-Anfrage stellen.',
    rest_missing_callback_param: 'Fehlende Parameter',
    rest_invalid_param: 'Ungültige Parameter',
    rest_forbidden: 'Dazu fehlt das Recht. Mit einem Konto anmelden, das es hat.',
    invalid_username: 'Kein Konto hat diesen Anmeldenamen. Den Namen in den Anmeldedaten prüfen.',
    invalid_email: 'Kein Konto hat diese E-Mail-Adresse. Den Namen in den Anmeldedaten prüfen.',
    incorrect_password: 'Das Token ist falsch oder wurde widerrufen. Ein neues anfordern.',
    rest_invalid_token: 'Das Token gilt hier nicht oder nicht mehr. Neu anmelden, um ein neues zu bekommen.',
    rest_no_role:
      'Das Token gibt in diesem Kalender keine Rolle. Wer die Einmalanmeldung betreibt, kann eine zuweisen.',
    rest_user_removed: 'Dieses Konto wurde aus dem Kalender entfernt. Auskunft gibt die Verwaltung des Kalenders.',
    rest_sign_on_unavailable:
      'Die Schlüssel der Einmalanmeldung sind gerade nicht zu bekommen. Nach Retry-After Sekunden noch einmal versuchen.',
    rest_user_not_found: 'Dieses Konto gibt es nicht. GET /users nennt alle, die es gibt.',
    rest_user_page_not_found: 'Die Liste der Konten hat weniger Seiten. Eine frühere Seite anfordern.',
    rest_user_exists:
      'Ein anderes Konto hat diesen Anmeldenamen oder diese E-Mail-Adresse. data.params nennt, was belegt ist; etwas anderes wählen.',
    rest_last_administrator:
      'Danach könnte niemand mehr den Kalender verwalten: das ist das letzte Konto mit der Rolle administrator und einem Token. Zuerst einem anderen Konto Rolle und Token geben.',
    rest_credential_not_found: 'Dieses Token gibt es nicht, oder es wurde schon widerrufen.',
    'rest-event-not-found': 'Diese Veranstaltung gibt es nicht.',
    'rest-invalid-event-id': 'Diese Kennung gehört zu etwas, das keine Veranstaltung ist.',
    'event-not-accessible': 'Diese Veranstaltung ist nicht öffentlich, und das Recht zum Lesen fehlt.',
    'venue-not-accessible': 'Dieser Veranstaltungsort ist nicht öffentlich, und das Recht zum Lesen fehlt.',
    'organizer-not-accessible': 'Dieser Veranstalter ist nicht öffentlich, und das Recht zum Lesen fehlt.',
    'event-no-longer-available':
      'Diese Veranstaltung liegt im Papierkorb. Wer sie bearbeiten darf, kann sie zurückholen.',
    'event-password-protected': 'Diese Veranstaltung verlangt ihr Passwort. Es als Parameter password senden.',
    'event-archive-page-not-found': 'Die Liste der Veranstaltungen hat weniger Seiten. Eine frühere Seite anfordern.',
    'venue-archive-page-not-found':
      'Die Liste der Veranstaltungsorte hat weniger Seiten. Eine frühere Seite anfordern.',
    'organizer-archive-page-not-found': 'Die Liste der Veranstalter hat weniger Seiten. Eine frühere Seite anfordern.',
    'event-is-in-trash': 'Diese Veranstaltung liegt schon im Papierkorb.',
    'venue-is-in-trash': 'Dieser Veranstaltungsort liegt schon im Papierkorb.',
    'organizer-is-in-trash': 'Dieser Veranstalter liegt schon im Papierkorb.',
    'organizer-is-erased':
      'Die persönlichen Daten dieses Veranstalters wurden getilgt, und er nimmt keine anderen an. Einen neuen anlegen.',
    'could-not-create-venue':
      'Der Veranstaltungsort kann nicht angelegt werden. Ihm einen Namen geben oder die Kennung eines vorhandenen senden.',
    'could-not-create-organizer':
      'Der Veranstalter kann nicht angelegt werden. Ihm einen Namen geben oder die Kennung eines vorhandenen senden.',
    term_exists: 'An dieser Stelle gibt es schon einen Begriff mit diesem Namen; data.term_id ist seine Kennung.',
    rest_taxonomy_not_hierarchical: 'Schlagwörter sind niemandem untergeordnet. parent weglassen.',
    duplicate_term_slug: 'Ein anderer Begriff hat diesen Kurznamen. Einen anderen wählen.',
    rest_history_page_not_found: 'Der Verlauf hat weniger Seiten. Eine frühere Seite anfordern.',
    rest_revision_not_found: 'Diese Fassung gibt es nicht. Eine von 0 bis data.last_revision anfordern.',
    rest_revert_conflict: 'So wie damals kann es nicht aussehen; data.conflicts nennt, was dem entgegensteht.',
    rest_not_there_then:
      'Zu diesem Zeitpunkt war es nicht da oder nicht öffentlich. Einen späteren Zeitpunkt in as_of anfordern.',
    rest_past_protected:
      'Alte Fassungen von dem, was ein Passwort schützt, sieht nur, wer den Verlauf lesen darf. Mit einem solchen Konto anmelden.',
    rest_precondition_failed:
      'Seit dem Lesen hat sich etwas geändert. Erneut lesen und mit dem neuen ETag wiederholen.',
    rest_request_too_large: 'Der Inhalt ist größer als erlaubt. Weniger auf einmal senden.',
    rest_uri_too_long: 'Die Adresse ist länger als 16 KiB. Die Parameter im Inhalt senden.',
    rest_headers_too_large: 'Die Kopfzeilen sind größer als erlaubt. Weniger oder kürzere senden.',
    rest_request_timeout: 'Die Anfrage kam nicht rechtzeitig an. Sie noch einmal senden.',
    rest_rate_limited: 'Zu viele Versuche. So lange warten, wie Retry-After sagt.',
    internal_server_error: 'Hier ist ein Fehler aufgetreten. Beim Melden die Kopfzeile X-Request-Id angeben.',
    rest_unavailable:
      'Der Kalender ist zurzeit nicht erreichbar. Nach so vielen Sekunden, wie Retry-After sagt, erneut versuchen.',
  },
  sentences: {
    separator: ', ',
    users: {
      UserAdded: 'Als „{login}“ mit der Rolle {role} angelegt.',
      UserIdentityBound: 'An das Subjekt {fact.subject} des Ausstellers {fact.issuer} gebunden.',
      UserCredentialIssued: 'Token {credential} ausgestellt: {label}.',
      UserCredentialRevoked: 'Token {credential} widerrufen: {label}.',
      UserRoleChanged: 'Rolle von {before.role} zu {role} geändert.',
      UserRenamed: 'Von „{before.name}“ in „{name}“ umbenannt.',
      UserEmailChanged: { by: 'email', some: 'E-Mail-Adresse {email} eingetragen.', none: 'E-Mail-Adresse entfernt.' },
      UserRemoved: 'Entfernt.',
      UserErased: 'Persönliche Daten gelöscht.',
    },
    facts: {
      EventDrafted: 'Als „{title}“ angelegt.',
      EventRetitled: 'Von „{before.title}“ in „{title}“ umbenannt.',
      EventDescribed: 'Beschreibung oder Kurztext geändert.',
      EventRescheduled:
        'Von {before.start_date} – {before.end_date} auf {start_date} – {end_date} ({timezone}) verlegt.',
      EventAdjustedToZoneRules:
        'An die Zeitzonenregeln {fact.rules} angepasst: von {before.start_date} – {before.end_date} ({before.utc_start_date} – {before.utc_end_date} UTC) auf {start_date} – {end_date} ({utc_start_date} – {utc_end_date} UTC, {timezone}).',
      EventPriced: { by: 'cost', some: 'Preis auf {cost} gesetzt.', none: 'Preis entfernt.' },
      EventWebsiteChanged: { by: 'website', some: 'Website auf {website} gesetzt.', none: 'Website entfernt.' },
      EventImageChanged: IMAGE,
      EventMapDisplayChanged: MAP_DISPLAY,
      EventHiddenFromListings: 'Aus den Listen genommen.',
      EventShownInListings: 'In die Listen aufgenommen.',
      EventMadeSticky: 'Im Kalender angeheftet.',
      EventUnstuck: 'Nicht mehr im Kalender angeheftet.',
      EventFeatured: 'Hervorgehoben.',
      EventUnfeatured: 'Nicht mehr hervorgehoben.',
      EventExtended: 'Aus einem anderen Kalender übernommene Angaben geändert.',
      EventTicketed: 'Als Veranstaltung mit Eintrittskarten gekennzeichnet.',
      EventUnticketed: 'Nicht mehr als Veranstaltung mit Eintrittskarten gekennzeichnet.',
      EventCategorized: {
        by: 'categories',
        some: 'Kategorien auf {categories} gesetzt.',
        none: 'Kategorien entfernt.',
      },
      EventTagged: { by: 'tags', some: 'Schlagwörter auf {tags} gesetzt.', none: 'Schlagwörter entfernt.' },
      EventMoved: { by: 'venue', some: 'Neuer Veranstaltungsort: {venue}.', none: 'Veranstaltungsort entfernt.' },
      EventOrganizersChanged: {
        by: 'organizer',
        some: 'Veranstalter auf {organizer} gesetzt.',
        none: 'Veranstalter entfernt.',
      },
      EventPlacedUnder: {
        by: 'post_parent',
        some: 'Zum Teil der Veranstaltung {post_parent} gemacht.',
        none: 'Nicht mehr Teil einer anderen Veranstaltung.',
      },
      EventPublished: PUBLISHED,
      EventPublicationScheduled: SCHEDULED,
      EventReturnedToDraft: DRAFT,
      EventSubmittedForReview: PENDING,
      EventMadePrivate: PRIVATE,
      EventTrashed: TRASHED,
      EventRestored: RESTORED,
      EventSlugChanged: SLUG,
      EventDated: DATED,
      EventReassigned: REASSIGNED,
      EventPasswordSet: PASSWORD_SET,
      EventPasswordRemoved: PASSWORD_REMOVED,
      EventUndated: UNDATED,
      EventReverted: REVERTED,

      VenueDrafted: 'Als „{venue}“ angelegt.',
      VenueRenamed: 'Von „{before.venue}“ in „{venue}“ umbenannt.',
      VenueDescribed: DESCRIBED,
      VenueRelocated: 'Anschrift geändert.',
      VenuePinned: {
        by: 'geo_lat',
        some: 'Auf der Karte bei {geo_lat}, {geo_lng} eingetragen.',
        none: 'Von der Karte genommen.',
      },
      VenueContactChanged: 'Telefonnummer oder Website geändert.',
      VenueImageChanged: IMAGE,
      VenueMapDisplayChanged: MAP_DISPLAY,
      VenuePublished: PUBLISHED,
      VenuePublicationScheduled: SCHEDULED,
      VenueReturnedToDraft: DRAFT,
      VenueSubmittedForReview: PENDING,
      VenueMadePrivate: PRIVATE,
      VenueTrashed: TRASHED,
      VenueRestored: RESTORED,
      VenueSlugChanged: SLUG,
      VenueDated: DATED,
      VenueReassigned: REASSIGNED,
      VenuePasswordSet: PASSWORD_SET,
      VenuePasswordRemoved: PASSWORD_REMOVED,
      VenueUndated: UNDATED,
      VenueReverted: REVERTED,

      OrganizerDrafted: 'Als „{organizer}“ angelegt.',
      OrganizerRenamed: 'Von „{before.organizer}“ in „{organizer}“ umbenannt.',
      OrganizerDescribed: DESCRIBED,
      OrganizerContactChanged: 'Telefonnummer, Website oder E-Mail-Adresse geändert.',
      OrganizerImageChanged: IMAGE,
      OrganizerPublished: PUBLISHED,
      OrganizerPublicationScheduled: SCHEDULED,
      OrganizerReturnedToDraft: DRAFT,
      OrganizerSubmittedForReview: PENDING,
      OrganizerMadePrivate: PRIVATE,
      OrganizerTrashed: TRASHED,
      OrganizerRestored: RESTORED,
      OrganizerSlugChanged: SLUG,
      OrganizerDated: DATED,
      OrganizerReassigned: REASSIGNED,
      OrganizerPasswordSet: PASSWORD_SET,
      OrganizerPasswordRemoved: PASSWORD_REMOVED,
      OrganizerUndated: UNDATED,
      OrganizerReverted: REVERTED,
      OrganizerErased: 'Persönliche Daten getilgt.',

      CategoryCreated: TERM_CREATED,
      CategoryRenamed: TERM_RENAMED,
      CategorySlugChanged: SLUG,
      CategoryDescribed: DESCRIBED,
      CategoryMoved: TERM_MOVED,
      CategoryDeleted: TERM_DELETED,
      CategoryRestored: TERM_RESTORED,
      CategoryReverted: REVERTED,

      TagCreated: TERM_CREATED,
      TagRenamed: TERM_RENAMED,
      TagSlugChanged: SLUG,
      TagDescribed: DESCRIBED,
      TagMoved: TERM_MOVED,
      TagDeleted: TERM_DELETED,
      TagRestored: TERM_RESTORED,
      TagReverted: REVERTED,
    },
    unknown: 'Auf eine Weise geändert, die diese Programmversion nicht kennt ({type}).',
    erased: 'Was hier stand, wurde getilgt.',
  },
  phrases: {
    clause_separator: '; ',

    missing_parameters: 'Fehlende Parameter: {names}',
    invalid_parameters: 'Ungültige Parameter: {names}',
    refused_parameter: 'Ungültige Parameter: {name}. {why}',
    invalid_parameter: 'Ungültiger Parameter.',
    mistyped_parameter: '{name} ist nicht vom Typ {type}.',
    allowed_range: '{name} muss zwischen {least} und {most} liegen.',
    allowed_from: '{name} muss eine ganze Zahl ab {least} sein.',
    allowed_one_of: '{name} muss eines von {values} sein.',
    allowed_some_of: '{name} muss eines oder mehrere von {values} sein.',
    allowed_public_status: '{name} muss publish sein: andere erfordern das Recht zu bearbeiten.',
    allowed_date: '{name} muss ein Datum wie {examples} sein.',
    allowed_filled_text: '{name} muss ein nicht leerer Text von höchstens {most} Bytes sein.',
    allowed_text: '{name} muss ein Text von höchstens {most} Bytes sein.',
    allowed_characters: '{name} muss ein Text von {least} bis {most} Zeichen sein.',
    allowed_id: '{name} muss eine vorhandene ID sein ({kind}).',
    allowed_ids: '{name} muss aus 1 bis {most} vorhandenen IDs bestehen ({kind}).',
    allowed_any_ids: '{name} muss aus 1 bis {most} IDs bestehen.',
    allowed_terms: '{name} muss aus 1 bis {most} vorhandenen Kurznamen, Namen oder IDs bestehen ({kind}).',
    allowed_term_members:
      '{name} darf höchstens {most} Namen, Kurznamen oder IDs enthalten, jeder von höchstens {characters} Zeichen.',
    allowed_slug: '{name} muss ein vorhandener Kurzname sein ({kind}).',
    allowed_zone: '{name} muss eine Zeitzone wie {examples} sein.',
    allowed_address: '{name} muss eine vollständige Adresse wie {example} sein.',
    allowed_image: '{name} muss die ID eines vorhandenen Bildes oder eine Adresse wie {example} sein.',
    allowed_cost: '{name} muss ein Betrag oder ein Text wie {examples} sein, oder höchstens {most} davon.',
    allowed_coordinate: '{name} muss zwischen {least} und {most} liegen und zusammen mit {partner} gesendet werden.',
    allowed_distance: '{name} muss mehr als 0 und höchstens {most} sein.',
    allowed_links: '{name} muss aus vorhandenen IDs außerhalb des Papierkorbs oder aus Objekten mit {member} bestehen.',
    json_syntax: 'Syntaxfehler',
    json_depth: 'Zu tief geschachtelt',
    json_encoding: 'Der Inhalt ist kein UTF-8',

    unknown_locale: 'Diese Sprache gibt es nicht. Eine von {codes} senden oder die Angabe weglassen.',
    unknown_type: '„{word}“ ist weder eine Art von Ding ({kinds}) noch von Vorgang.',
    no_position:
      'Das ist keine Position. next aus einer früheren Antwort unverändert senden oder die Angabe weglassen.',
    as_of_beside_revision: 'Neben revision darf es nicht stehen. Nur eines von beiden senden.',
    revision_is_whole: 'Fassungen sind ganze Zahlen ab 0.',
    unreadable_instant: 'Das ist nicht als Datum mit Uhrzeit lesbar. Etwas wie {example} senden.',
    future_instant: '{instant} liegt in der Zukunft: jetzt ist {now}. Einen früheren Zeitpunkt senden.',
    past_status: 'Listen zu einem Zeitpunkt zeigen, was öffentlich war. Die Angabe weglassen oder publish senden.',
    readiness_purpose: 'for ist entweder reads oder writes; ohne die Angabe wird nach allem gefragt.',

    no_such_revision: 'Es gibt keine Fassung {revision}: sie reichen von 0 bis {last}. Eine von diesen anfordern.',
    before_first_event:
      '{as_of} liegt vor dem ersten Vorgang, der von {since} ist. Einen späteren Zeitpunkt in as_of anfordern.',
    too_many_waiting:
      'Zurzeit warten zu viele auf Änderungen. Ohne zu warten fragen, oder nach so vielen Sekunden, wie Retry-After sagt.',
    past_queue_full:
      'Es werden schon zu viele Listen anderer Zeitpunkte erstellt. Nach so vielen Sekunden, wie Retry-After sagt, erneut versuchen oder eine von jenen anfordern.',
    views_not_there:
      'Die Sichten haben die Position in {header} noch nicht erreicht. Nach so vielen Sekunden, wie Retry-After sagt, erneut versuchen.',

    cannot_revert: 'Nichts wurde geschrieben, da es nicht wie damals aussehen kann: {conflicts}.',
    conflict_taken: 'der Kurzname {slug} gehört zu: {thing}',
    conflict_taken_by_unknown: 'der Kurzname {slug} gehört zu etwas anderem',
    conflict_in_trash: '{thing} liegt im Papierkorb ({field})',
    conflict_deleted: '{thing} wurde gelöscht ({field})',
    conflict_gone: '{thing} gibt es nicht mehr ({field})',
    conflict_circle: 'unter {thing} stünde es unter sich selbst ({field})',
    thing_event: 'Veranstaltung {id}',
    thing_venue: 'Veranstaltungsort {id}',
    thing_organizer: 'Veranstalter {id}',
    thing_category: 'Kategorie {id}',
    thing_tag: 'Schlagwort {id}',
    thing_image: 'Bild {id}',
    thing_user: 'Konto {id}',
    thing_unknown: '{kind} {id}',
  },
  descriptions: {
    'The namespace of this API.': 'Der Namensraum dieser API.',
    'Without effect.': 'Ohne Wirkung.',
    'Page of the list to answer, from 1.': 'Gewünschte Seite der Liste, ab 1.',
    'Items on a page; more than 50 count as 50.': 'Einträge je Seite; mehr als 50 zählen als 50.',
    'Only events that start on this date or later.': 'Nur Veranstaltungen, die an diesem Tag oder später beginnen.',
    'Only events that end on this date or earlier.': 'Nur Veranstaltungen, die an diesem Tag oder früher enden.',
    'Only events that start before this date.': 'Nur Veranstaltungen, die vor diesem Zeitpunkt beginnen.',
    'Only events that start after this date.': 'Nur Veranstaltungen, die nach diesem Zeitpunkt beginnen.',
    'Only events that end before this date.': 'Nur Veranstaltungen, die vor diesem Zeitpunkt enden.',
    'Only events that end after this date.': 'Nur Veranstaltungen, die nach diesem Zeitpunkt enden.',
    'Yes: dates count to the second; no: by whole days.':
      'Ja: Zeitangaben zählen auf die Sekunde; nein: nach ganzen Tagen.',
    'Words that must occur in title, description or excerpt.':
      'Wörter, die in Titel, Beschreibung oder Kurztext vorkommen müssen.',
    'Ids or slugs of categories; events in one of them or below.':
      'Kennungen oder Kurznamen von Kategorien; Veranstaltungen in einer davon oder darunter.',
    'Ids or slugs of tags; events with one of them.':
      'Kennungen oder Kurznamen von Schlagwörtern; Veranstaltungen mit einem davon.',
    'Ids of venues; events at one of them.': 'Kennungen von Veranstaltungsorten; Veranstaltungen an einem davon.',
    'Ids of organizers; events by one of them.': 'Kennungen von Veranstaltern; Veranstaltungen von einem davon.',
    'Yes: only featured events; no: only others.': 'Ja: nur hervorgehobene Veranstaltungen; nein: nur andere.',
    'One status or several; everything but publish needs the right to edit.':
      'Ein Status oder mehrere; alles außer publish verlangt das Recht zum Bearbeiten.',
    'Yes: only events whose venue has coordinates; no: only others.':
      'Ja: nur Veranstaltungen, deren Ort Koordinaten hat; nein: nur andere.',
    'Latitude of the middle of a circle; only with geoloc_lng.':
      'Geografische Breite der Mitte eines Kreises; nur mit geoloc_lng.',
    'Longitude of the middle of a circle; only with geoloc_lat.':
      'Geografische Länge der Mitte eines Kreises; nur mit geoloc_lat.',
    'Radius of the circle in kilometres. Default: 25.': 'Radius des Kreises in Kilometern. Vorgabe: 25.',
    'Ids of the only events to list; the default dates then do not apply.':
      'Kennungen der einzigen Veranstaltungen, die aufgelistet werden; die vorgegebenen Zeiten gelten dann nicht.',
    'Only events that belong to the event with this id.':
      'Nur Veranstaltungen, die zu der Veranstaltung mit dieser Kennung gehören.',
    'Yes: only events with tickets; no: only others.': 'Ja: nur Veranstaltungen mit Eintrittskarten; nein: nur andere.',
    'What the public calendar showed at this instant, in the zone of the site unless the value says its own.':
      'Was der öffentliche Kalender zu diesem Zeitpunkt zeigte, in der Zeitzone der Site, sofern der Wert keine eigene nennt.',
    'Title of the event.': 'Titel der Veranstaltung.',
    'Start, in the zone of the event unless the value says its own.':
      'Beginn, in der Zeitzone der Veranstaltung, sofern der Wert keine eigene nennt.',
    'End, in the zone of the event unless the value says its own.':
      'Ende, in der Zeitzone der Veranstaltung, sofern der Wert keine eigene nennt.',
    'Id of the user who is the author. Default: the caller.':
      'Kennung des Kontos, das Verfasser ist. Vorgabe: wer anfragt.',
    'Date and time of publication, in the zone of the site.':
      'Datum und Uhrzeit der Veröffentlichung, in der Zeitzone der Site.',
    'Date and time of publication, in UTC.': 'Datum und Uhrzeit der Veröffentlichung, in UTC.',
    'One of publish, future, draft, pending, private, trash.':
      'Eines von publish, future, draft, pending, private, trash.',
    'Description of the event.': 'Beschreibung der Veranstaltung.',
    'Slug of the event. Default: derived from the title.':
      'Kurzname der Veranstaltung. Vorgabe: aus dem Titel gebildet.',
    'Short description of the event.': 'Kurztext zur Veranstaltung.',
    'Time zone of the event. Default: the zone of the site.': 'Zeitzone der Veranstaltung. Vorgabe: die der Site.',
    'Whether it takes whole days.': 'Ob sie ganze Tage dauert.',
    'Id of an image, or its absolute http or https address.':
      'Kennung eines Bildes oder seine vollständige Adresse mit http oder https.',
    'Cost: an amount, a text, or several of them.': 'Preis: ein Betrag, ein Text oder mehrere davon.',
    "Absolute address of the event's own web site.": 'Vollständige Adresse der eigenen Website der Veranstaltung.',
    'Whether a map is shown.': 'Ob eine Karte gezeigt wird.',
    'Whether a link to a map is shown.': 'Ob ein Verweis auf eine Karte gezeigt wird.',
    'Whether lists leave it out.': 'Ob Listen sie auslassen.',
    'Whether it is pinned in the calendar.': 'Ob sie im Kalender angeheftet ist.',
    'Whether it is featured.': 'Ob sie hervorgehoben ist.',
    'Whether it has tickets.': 'Ob es Eintrittskarten gibt.',
    'Id of the event that it belongs to; 0 for none.': 'Kennung der Veranstaltung, zu der sie gehört; 0 für keine.',
    'Ids, slugs or names of categories; new names are created.':
      'Kennungen, Kurznamen oder Namen von Kategorien; neue Namen werden angelegt.',
    'Ids, slugs or names of tags; new names are created.':
      'Kennungen, Kurznamen oder Namen von Schlagwörtern; neue Namen werden angelegt.',
    'Ids of venues, or entries to be created.': 'Kennungen von Veranstaltungsorten oder Angaben zu anzulegenden.',
    'Ids of organizers, or entries to be created.': 'Kennungen von Veranstaltern oder Angaben zu anzulegenden.',
    'Password that readers must present; empty removes it.': 'Passwort, das zum Lesen nötig ist; leer entfernt es.',
    'Id of the event.': 'Kennung der Veranstaltung.',
    'Password of the event, if it has one.': 'Passwort der Veranstaltung, falls sie eines hat.',
    'The state at this instant, in the zone of the site unless the value says its own.':
      'Die Fassung zu diesem Zeitpunkt, in der Zeitzone der Site, sofern der Wert keine eigene nennt.',
    'The state at this revision, from 0. For those who may read the history.':
      'Der Zustand in dieser Fassung, ab 0. Für alle, die den Verlauf lesen dürfen.',
    'Slug of the event.': 'Kurzname der Veranstaltung.',
    'Words that must occur in one of the text fields.': 'Wörter, die in einem der Textfelder vorkommen müssen.',
    'Only venues of the event with this id.': 'Nur Veranstaltungsorte der Veranstaltung mit dieser Kennung.',
    'Yes: only venues that have events; no: only those without.':
      'Ja: nur Veranstaltungsorte mit Veranstaltungen; nein: nur solche ohne.',
    'Yes: only venues with an event that starts now or later.':
      'Ja: nur Veranstaltungsorte mit einer Veranstaltung, die jetzt oder später beginnt.',
    'Name of the venue.': 'Name des Veranstaltungsorts.',
    'Description of the venue.': 'Beschreibung des Veranstaltungsorts.',
    'Street address.': 'Straße und Hausnummer.',
    'City.': 'Ort.',
    'Country.': 'Land.',
    'Province.': 'Provinz.',
    'State.': 'Bundesland oder Bundesstaat.',
    'Postal code.': 'Postleitzahl.',
    'Telephone number.': 'Telefonnummer.',
    'State or province; derived from these two when empty.':
      'Bundesland oder Provinz; wenn leer, aus diesen beiden gebildet.',
    "Absolute address of the venue's own web site.": 'Vollständige Adresse der eigenen Website des Veranstaltungsorts.',
    'Latitude in degrees; only with geo_lng. Both empty: none.':
      'Geografische Breite in Grad; nur mit geo_lng. Beide leer: keine.',
    'Longitude in degrees; only with geo_lat. Both empty: none.':
      'Geografische Länge in Grad; nur mit geo_lat. Beide leer: keine.',
    'Id of the venue.': 'Kennung des Veranstaltungsorts.',
    'Slug of the venue.': 'Kurzname des Veranstaltungsorts.',
    'Only organizers of the event with this id.': 'Nur Veranstalter der Veranstaltung mit dieser Kennung.',
    'Yes: only organizers that have events; no: only those without.':
      'Ja: nur Veranstalter mit Veranstaltungen; nein: nur solche ohne.',
    'Yes: only organizers with an event that starts now or later.':
      'Ja: nur Veranstalter mit einer Veranstaltung, die jetzt oder später beginnt.',
    'Name of the organizer.': 'Name des Veranstalters.',
    'Description of the organizer.': 'Beschreibung des Veranstalters.',
    "Absolute address of the organizer's own web site.": 'Vollständige Adresse der eigenen Website des Veranstalters.',
    'E-mail address.': 'E-Mail-Adresse.',
    'Id of the organizer.': 'Kennung des Veranstalters.',
    'Slug of the organizer.': 'Kurzname des Veranstalters.',
    'Words that must occur in the name or the slug.': 'Wörter, die im Namen oder im Kurznamen vorkommen müssen.',
    'Ids of terms to leave out.': 'Kennungen von Begriffen, die ausgelassen werden.',
    'Ids of the only terms to list.': 'Kennungen der einzigen Begriffe, die aufgelistet werden.',
    'asc for ascending; anything else is descending.': 'asc für aufsteigend; alles andere ist absteigend.',
    'Member to order by: name, id, slug, count, description, parent, include.':
      'Merkmal, nach dem geordnet wird: name, id, slug, count, description, parent, include.',
    'Leave out terms that no published event carries.':
      'Begriffe auslassen, die keine veröffentlichte Veranstaltung trägt.',
    'Only children of the category with this id.':
      'Nur die der Kategorie mit dieser Kennung unmittelbar untergeordneten.',
    'Only terms of the event with this id.': 'Nur Begriffe der Veranstaltung mit dieser Kennung.',
    'The same as post, and stronger.': 'Dasselbe wie post, geht aber vor.',
    'Only the term with exactly this slug.': 'Nur der Begriff mit genau diesem Kurznamen.',
    'Name of the term, at most 200 characters.': 'Name des Begriffs, höchstens 200 Zeichen.',
    'Description of the term.': 'Beschreibung des Begriffs.',
    'Slug of the term. Default: derived from the name.': 'Kurzname des Begriffs. Vorgabe: aus dem Namen gebildet.',
    'Id of the parent category.': 'Kennung der übergeordneten Kategorie.',
    'Id of the category.': 'Kennung der Kategorie.',
    'Id of the tag.': 'Kennung des Schlagworts.',
    'Only what lies behind this position: next of an earlier answer. The word end for what is to come.':
      'Nur was hinter dieser Position liegt: next aus einer früheren Antwort. Das Wort end für alles, was noch kommt.',
    'Only these kinds (event, venue, organizer, category, tag) or sorts of facts (EventRescheduled).':
      'Nur diese Arten von Dingen (event, venue, organizer, category, tag) oder von Vorgängen (EventRescheduled).',
    'Changes in one answer; more than 100 count as 100.': 'Änderungen je Antwort; mehr als 100 zählen als 100.',
    'Seconds to wait while there is nothing; more than 60 count as 60.':
      'Sekunden, die gewartet wird, solange es nichts gibt; mehr als 60 zählen als 60.',
    'The revision to look as at again, from 0.': 'Die Fassung, die wiederhergestellt wird, ab 0.',
    'A calendar of events, venues and organizers. HEAD answers like GET without a body; OPTIONS tells the methods and parameters of a path. Trailing slashes do not matter. Parameters of writes may stand in the query, too. Errors have one form: code for programs, message for people.':
      'Ein Kalender mit Veranstaltungen, Veranstaltungsorten und Veranstaltern. HEAD antwortet wie GET, nur ohne Inhalt; OPTIONS nennt Methoden und Parameter eines Pfads. Schrägstriche am Ende spielen keine Rolle. Parameter von Schreibzugriffen dürfen auch in der Adresse stehen. Fehler haben alle dieselbe Form: code für Programme, message für Menschen.',
    'A smaller rendition of an image.': 'Eine kleinere Ausgabe eines Bildes.',
    'Width in pixels.': 'Breite in Pixeln.',
    'Height in pixels.': 'Höhe in Pixeln.',
    'Media type, such as image/jpeg.': 'Medientyp, etwa image/jpeg.',
    'Size in bytes.': 'Größe in Byte.',
    'Address of the rendition.': 'Adresse der Ausgabe.',
    'What the cost is made of.': 'Woraus der Preis besteht.',
    'Sign of the currency; empty when none was given.': 'Zeichen der Währung; leer, wenn keines angegeben wurde.',
    'Always empty.': 'Immer leer.',
    'prefix or postfix; empty when no sign was given.': 'prefix oder postfix; leer, wenn kein Zeichen angegeben wurde.',
    'All amounts, lowest first.': 'Alle Beträge, der niedrigste zuerst.',
    'A number, or what was said instead of one.': 'Eine Zahl, oder was an ihrer Stelle angegeben wurde.',
    'A category or a tag.': 'Eine Kategorie oder ein Schlagwort.',
    'Id.': 'Kennung.',
    'Number of published events that carry it.': 'Zahl der veröffentlichten Veranstaltungen, die ihn tragen.',
    'Description; empty when there is none.': 'Beschreibung; leer, wenn es keine gibt.',
    'Name, encoded for HTML.': 'Name, für HTML kodiert.',
    'Slug.': 'Kurzname.',
    'tribe_events_cat for categories, post_tag for tags.':
      'tribe_events_cat bei Kategorien, post_tag bei Schlagwörtern.',
    'Id of the parent, 0 for none; only of categories.':
      'Kennung des übergeordneten Begriffs, 0 für keinen; nur bei Kategorien.',
    'Public page.': 'Öffentliche Seite.',
    'Where it lies in this API.': 'Wo es in dieser API liegt.',
    'The term itself.': 'Der Begriff selbst.',
    'The list of all.': 'Die Liste aller.',
    'The parent, when there is one.': 'Der übergeordnete Begriff, wenn es einen gibt.',
    'A picture, by its address.': 'Ein Bild mit seiner Adresse.',
    'Address of the picture.': 'Adresse des Bildes.',
    'Id, which may be sent as image from now on.': 'Kennung, die von nun an als image gesendet werden kann.',
    'Ending of the file name without its dot; empty when there is none.':
      'Endung des Dateinamens ohne den Punkt; leer, wenn es keine gibt.',
    'Width in pixels, when it is known.': 'Breite in Pixeln, wenn bekannt.',
    'Height in pixels, when it is known.': 'Höhe in Pixeln, wenn bekannt.',
    'Size in bytes, when it is known.': 'Größe in Byte, wenn bekannt.',
    'Smaller renditions by their names, when there are any.':
      'Kleinere Ausgaben nach ihren Namen, wenn es welche gibt.',
    'One rendition.': 'Eine Ausgabe.',
    'A date and time, taken apart.': 'Datum und Uhrzeit, in Teile zerlegt.',
    'Year, four digits.': 'Jahr, vier Ziffern.',
    'Month, two digits.': 'Monat, zwei Ziffern.',
    'Day of the month, two digits.': 'Tag des Monats, zwei Ziffern.',
    'Hour from 00 to 23.': 'Stunde von 00 bis 23.',
    'Minutes, two digits.': 'Minuten, zwei Ziffern.',
    'Seconds, two digits.': 'Sekunden, zwei Ziffern.',
    'A calendar event. What is under a password is empty or null until the password is presented.':
      'Eine Veranstaltung des Kalenders. Was ein Passwort schützt, ist leer oder null, bis das Passwort vorgelegt wird.',
    'Id that no other site uses: host and path of the site, and the id.':
      'Kennung, die keine andere Site verwendet: Rechnername und Pfad der Site und die Kennung.',
    'All global ids, beginning with the present one.': 'Alle weltweiten Kennungen, die heutige zuerst.',
    'A global id.': 'Eine weltweite Kennung.',
    'Id of the user who is the author.': 'Kennung des Kontos, das Verfasser ist.',
    'Status. Only what has the status publish is public.': 'Status. Nur was den Status publish hat, ist öffentlich.',
    'Publication, on the clock of the site.': 'Veröffentlichung, nach der Uhr der Site.',
    'Publication in UTC; zeros while no date is fixed.':
      'Veröffentlichung in UTC; Nullen, solange kein Datum feststeht.',
    'Last change, on the clock of the site.': 'Letzte Änderung, nach der Uhr der Site.',
    'Last change in UTC; zeros while no date is fixed and nothing was changed.':
      'Letzte Änderung in UTC; Nullen, solange kein Datum feststeht und nichts geändert wurde.',
    'Address of the event in this API.': 'Adresse der Veranstaltung in dieser API.',
    'Title, ready to be shown as HTML.': 'Titel, zur Anzeige als HTML bereit.',
    'Description as HTML; empty when there is none.': 'Beschreibung als HTML; leer, wenn es keine gibt.',
    'Short description as HTML; empty when there is none.': 'Kurztext als HTML; leer, wenn es keinen gibt.',
    'Slug; empty as long as a draft has none.': 'Kurzname; leer, solange ein Entwurf keinen hat.',
    'The picture, or false when there is none.': 'Das Bild, oder false, wenn es keines gibt.',
    'Start, on the clock of its own zone.': 'Beginn, nach der Uhr der eigenen Zeitzone.',
    'The same, taken apart.': 'Dasselbe, in Teile zerlegt.',
    'End, on the clock of its own zone.': 'Ende, nach der Uhr der eigenen Zeitzone.',
    'Start in UTC.': 'Beginn in UTC.',
    'End in UTC.': 'Ende in UTC.',
    'Its time zone.': 'Die Zeitzone.',
    'Abbreviation of the zone as it is valid at the start.': 'Abkürzung der Zeitzone, wie sie zu Beginn gilt.',
    'Cost as it is shown; empty when none was given.':
      'Preis, wie er angezeigt wird; leer, wenn keiner angegeben wurde.',
    'Its own web site, escaped for HTML; the public page when it never had one.':
      'Eigene Website, für HTML kodiert; die öffentliche Seite, wenn es nie eine gab.',
    'Its categories, by name.': 'Die Kategorien, nach Namen.',
    'Its tags, by name.': 'Die Schlagwörter, nach Namen.',
    'The venue itself when there is one; a list when there are none or several.':
      'Der Veranstaltungsort selbst, wenn es einen gibt; eine Liste, wenn es keinen oder mehrere gibt.',
    'Its organizers, in their order.': 'Die Veranstalter in ihrer Reihenfolge.',
    'Only in single reads.': 'Nur beim Lesen eines einzelnen Dings.',
    'A venue. What has no value is left out; what is under a password is empty or null until the password is presented.':
      'Ein Veranstaltungsort. Was keinen Wert hat, fehlt; was ein Passwort schützt, ist leer oder null, bis das Passwort vorgelegt wird.',
    'Name, ready to be shown as HTML.': 'Name, zur Anzeige als HTML bereit.',
    'Description as HTML.': 'Beschreibung als HTML.',
    'The picture; false when it is under a password.': 'Das Bild; false, wenn ein Passwort es schützt.',
    'Its own web site.': 'Eigene Website.',
    'State or province.': 'Bundesland oder Provinz.',
    'Latitude in degrees.': 'Geografische Breite in Grad.',
    'Longitude in degrees.': 'Geografische Länge in Grad.',
    'An organizer. What has no value is left out; what is under a password is empty until the password is presented.':
      'Ein Veranstalter. Was keinen Wert hat, fehlt; was ein Passwort schützt, ist leer, bis das Passwort vorgelegt wird.',
    'A category or a tag inside an event.': 'Eine Kategorie oder ein Schlagwort innerhalb einer Veranstaltung.',
    'The same as id.': 'Dasselbe wie id.',
    'Id of the parent category; 0 for none.': 'Kennung der übergeordneten Kategorie; 0 für keine.',
    'What context=embed leaves of a category or tag.':
      'Was context=embed von einer Kategorie oder einem Schlagwort übrig lässt.',
    'The event in the words of schema.org.': 'Die Veranstaltung in den Worten von schema.org.',
    'Address of the vocabulary.': 'Adresse des Wortschatzes.',
    'Kind of object.': 'Art des Objekts.',
    'Name as plain text.': 'Name als reiner Text.',
    'Short description, escaped for HTML.': 'Kurztext, für HTML kodiert.',
    'How people attend.': 'Auf welche Weise teilgenommen wird.',
    'Whether it takes place as planned.': 'Ob die Veranstaltung wie geplant stattfindet.',
    'Start with the offset of its zone.': 'Beginn mit dem Versatz der Zeitzone.',
    'End with the offset of its zone.': 'Ende mit dem Versatz der Zeitzone.',
    'The venue, when there is one.': 'Der Veranstaltungsort, wenn es einen gibt.',
    'The first organizer, when there is one.': 'Der erste Veranstalter, wenn es einen gibt.',
    'What it costs.': 'Was es kostet.',
    'Amount, or lowest and highest amount.': 'Betrag, oder niedrigster und höchster Betrag.',
    'Code of the currency.': 'Kürzel der Währung.',
    'Always primary.': 'Immer primary.',
    'Always inStock.': 'Immer inStock.',
    'Publication.': 'Veröffentlichung.',
    'Always Organization.': 'Immer Organization.',
    'The venue in the words of schema.org.': 'Der Veranstaltungsort in den Worten von schema.org.',
    'Postal address; only what is known.': 'Postanschrift; nur was bekannt ist.',
    'Where it lies.': 'Wo er liegt.',
    'Web site.': 'Website.',
    'The organizer in the words of schema.org.': 'Der Veranstalter in den Worten von schema.org.',
    'Who did it.': 'Wer es getan hat.',
    'Id of the user; null when it was no user.': 'Kennung des Kontos; null, wenn es keines war.',
    'Name at that time.': 'Name zu jener Zeit.',
    'A field that changed.': 'Ein Feld, das sich geändert hat.',
    'Name of the field.': 'Name des Feldes.',
    'Value before; null where there was none.': 'Wert davor; null, wo es keinen gab.',
    'Value after; null where there is none.': 'Wert danach; null, wo es keinen gibt.',
    'One revision of a thing.': 'Eine Fassung eines Dings.',
    'Revision that it led to, from 0.': 'Fassung, zu der es führte, ab 0.',
    'When it was recorded, in UTC.': 'Wann es festgehalten wurde, in UTC.',
    'The same on the clock of the site.': 'Dasselbe nach der Uhr der Site.',
    'Why, if that was said.': 'Warum, falls das gesagt wurde.',
    'Sort of fact. It is the same in every language.': 'Art des Vorgangs. Sie ist in jeder Sprache gleich.',
    'What happened, as a sentence.': 'Was geschah, als Satz.',
    'Shared by everything that one request or one import did.':
      'Haben alle gemeinsam, die zu derselben Anfrage oder demselben Import gehören.',
    'Which fields changed, and how.': 'Welche Felder sich geändert haben und wie.',
    'One field.': 'Ein Feld.',
    'One change of a thing.': 'Eine Änderung an einem Ding.',
    'Place in the log.': 'Stelle im Protokoll.',
    'Kind of the thing.': 'Art des Dings.',
    'Id of the thing.': 'Kennung des Dings.',
    'Address of the thing in this API.': 'Adresse des Dings in dieser API.',
    'Every route with its methods and parameters.': 'Jeder Pfad mit seinen Methoden und Parametern.',
    'Namespace of the API.': 'Namensraum der API.',
    'The routes by their patterns.': 'Die Pfade nach ihren Mustern.',
    'Links.': 'Verweise.',
    'The site.': 'Die Site.',
    'A link.': 'Ein Verweis.',
    'Where it leads.': 'Wohin er führt.',
    'A route of the index.': 'Ein Pfad des Verzeichnisses.',
    'All methods of the route.': 'Alle Methoden des Pfads.',
    'A method.': 'Eine Methode.',
    'What can be done here.': 'Was hier möglich ist.',
    'Methods that take the same parameters.': 'Methoden mit denselben Parametern.',
    'The methods.': 'Die Methoden.',
    'The parameters by name; an empty list when there are none.':
      'Die Parameter nach Namen; eine leere Liste, wenn es keine gibt.',
    'The parameters by name.': 'Die Parameter nach Namen.',
    'A parameter.': 'Ein Parameter.',
    'Whether it must be sent.': 'Ob er gesendet werden muss.',
    'What stands for it when it is not sent.': 'Was für ihn gilt, wenn er nicht gesendet wird.',
    'Type of the value.': 'Typ des Wertes.',
    'Format of the value.': 'Format des Wertes.',
    'Type of the members of a list.': 'Typ der Einträge einer Liste.',
    'What it is for.': 'Wozu er dient.',
    'No parameters.': 'Keine Parameter.',
    'The route itself.': 'Der Pfad selbst.',
    'An OpenAPI document.': 'Ein OpenAPI-Dokument.',
    'Version of OpenAPI.': 'Version von OpenAPI.',
    'What the document is about.': 'Wovon das Dokument handelt.',
    'Any value.': 'Beliebiger Wert.',
    'Schemas, parameters and headers that operations share.':
      'Schemata, Parameter und Kopfzeilen, die mehrere Zugriffe gemeinsam haben.',
    'Where the API lies.': 'Wo die API liegt.',
    'A server.': 'Ein Server.',
    'The paths with their operations.': 'Die Pfade mit ihren Zugriffen.',
    'Groups of operations.': 'Gruppen von Zugriffen.',
    'A group.': 'Eine Gruppe.',
    'An existing venue by its id, or a new one.':
      'Ein vorhandener Veranstaltungsort mit seiner Kennung, oder ein neuer.',
    'Id of an existing one; nothing else is then read.': 'Kennung eines vorhandenen; sonst wird dann nichts gelesen.',
    'An existing organizer by its id, or a new one.':
      'Ein vorhandener Veranstalter mit seiner Kennung, oder ein neuer.',
    'Why it is changed; the history tells it.': 'Warum geändert wird; der Verlauf nennt es.',
    'The new slug, if it is to have another one.': 'Der neue Kurzname, wenn es ein anderer werden soll.',
    'An error.': 'Ein Fehler.',
    'What went wrong, for programs.': 'Was fehlgeschlagen ist, für Programme.',
    'What went wrong and what to do about it, for people.':
      'Was fehlgeschlagen ist und was dagegen zu tun ist, für Menschen.',
    'Details.': 'Einzelheiten.',
    'The HTTP status.': 'Der HTTP-Status.',
    'Number of the fault.': 'Nummer des Fehlers.',
    'What is wrong with it.': 'Was daran falsch ist.',
    'Names of what is missing.': 'Namen dessen, was fehlt.',
    'The refused parameters by name.': 'Die abgelehnten Parameter nach Namen.',
    'Why it was refused.': 'Warum er abgelehnt wurde.',
    'More about values of the wrong type.': 'Mehr über Werte vom falschen Typ.',
    'Nothing more.': 'Sonst nichts.',
    'A value of another type than declared.': 'Ein Wert von anderem Typ als angegeben.',
    'Always the same.': 'Immer dasselbe.',
    'What it is about.': 'Worum es geht.',
    'Name of the parameter.': 'Name des Parameters.',
    'Id of the term that exists.': 'Kennung des vorhandenen Begriffs.',
    'The same id, twice.': 'Dieselbe Kennung, zweimal.',
    'The revision asked for.': 'Die angeforderte Fassung.',
    'The last one that there is.': 'Die letzte, die es gibt.',
    'Everything that stands in the way.': 'Alles, was dem entgegensteht.',
    'Something that stands in the way.': 'Etwas, das dem entgegensteht.',
    'The field that cannot be had back.': 'Das Feld, das nicht zurückzuholen ist.',
    'What has it, or what is no longer there.': 'Was ihn hat, oder was es nicht mehr gibt.',
    'The slug that is taken.': 'Der vergebene Kurzname.',
    'The obstacle.': 'Das Hindernis.',
    'The instant asked for.': 'Der angeforderte Zeitpunkt.',
    'The first instant of which something is known.': 'Der erste Zeitpunkt, von dem etwas bekannt ist.',
    'Only these members of the answer, separated by commas; dots lead into objects.':
      'Nur diese Teile der Antwort, durch Kommas getrennt; Punkte führen in Objekte hinein.',
    'Answer 200 with body, status and headers inside the body.':
      'Mit 200 antworten und Inhalt, Status und Kopfzeilen in den Inhalt legen.',
    'Language of the texts of the answer, such as de. It counts more than Accept-Language.':
      'Sprache der Texte in der Antwort, etwa de. Sie geht Accept-Language vor.',
    'Languages that the reader knows.': 'Sprachen, die beim Lesen verstanden werden.',
    'The method that this request stands for.': 'Die Methode, für die diese Anfrage steht.',
    'The same as _method, which counts more.': 'Dasselbe wie _method, das vorgeht.',
    'Password of what is protected by one; what has it is shown in full.':
      'Passwort von dem, was durch eines geschützt ist; was es hat, wird ganz gezeigt.',
    'edit: whoever may edit the event needs no password.':
      'edit: wer die Veranstaltung bearbeiten darf, braucht kein Passwort.',
    'embed: only id, name, slug, taxonomy and links.': 'embed: nur id, name, slug, taxonomy und Verweise.',
    'Write only if the thing still has this ETag.': 'Nur schreiben, wenn das Ding noch diesen ETag hat.',
    'Answer 304 when the ETag is still this one.': 'Mit 304 antworten, wenn der ETag noch dieser ist.',
    'Any text. Sent again with the same key, nothing is created a second time.':
      'Beliebiger Text. Noch einmal mit demselben Schlüssel gesendet, wird nichts ein zweites Mal angelegt.',
    'Why it is changed, percent-encoded; the history tells it. The member _reason says the same.':
      'Warum geändert wird, prozentkodiert; der Verlauf nennt es. Die Angabe _reason sagt dasselbe.',
    'Position of an earlier write: the answer shows at least that.':
      'Position eines früheren Schreibzugriffs: die Antwort zeigt mindestens diesen.',
    'Where a stream of changes goes on.': 'Wo ein Strom von Änderungen weitergeht.',
    'Names this request; quote it when something went wrong.':
      'Benennt diese Anfrage; beim Melden eines Fehlers angeben.',
    'Methods that the caller may use here.': 'Methoden, die hier erlaubt sind.',
    'Version of the answer, for If-None-Match; of one thing also for If-Match.':
      'Version der Antwort, für If-None-Match; bei einem einzelnen Ding auch für If-Match.',
    'Number of items on all pages.': 'Zahl der Einträge auf allen Seiten.',
    'Number of pages.': 'Zahl der Seiten.',
    'The same as X-TEC-Total.': 'Dasselbe wie X-TEC-Total.',
    'The same as X-TEC-TotalPages.': 'Dasselbe wie X-TEC-TotalPages.',
    'Address of what was created.': 'Adresse dessen, was angelegt wurde.',
    'Place in the log; send it with a read to see at least this write.':
      'Stelle im Protokoll; beim Lesen mitgesendet, wird mindestens dieser Schreibzugriff gezeigt.',
    'lagging: reads do not show this yet.': 'lagging: beim Lesen zeigt sich dies noch nicht.',
    'How dates were read that could have been meant otherwise, by name.':
      'Wie Datumsangaben gelesen wurden, die auch anders gemeint sein konnten, nach Namen.',
    'Place in the log up to which the answer shows it.': 'Stelle im Log, bis zu der die Antwort es zeigt.',
    'How many events the answer does not show yet.': 'Wie viele Ereignisse die Antwort noch nicht zeigt.',
    'Seconds until it makes sense to try again.': 'Sekunden, nach denen ein neuer Versuch sinnvoll ist.',
    'How to sign in.': 'Wie man sich anmeldet.',
    'What of the request decides about the answer.': 'Was von der Anfrage über die Antwort entscheidet.',
    'Who may keep the answer, and for how long.': 'Wer die Antwort aufbewahren darf und wie lange.',
    'Language of the texts of the answer.': 'Sprache der Texte in der Antwort.',
    'How the body is compressed.': 'Wie der Inhalt komprimiert ist.',
    'Login name or e-mail address, and a token.': 'Anmeldename oder E-Mail-Adresse und ein Token.',
    'All routes with their parameters': 'Alle Pfade mit ihren Parametern',
    'What was asked for.': 'Was angefordert wurde.',
    'This document': 'Dieses Dokument',
    'The client has this answer already.': 'Diese Antwort liegt beim Anfragenden schon vor.',
    'List events': 'Veranstaltungen auflisten',
    'A page of the list.': 'Eine Seite der Liste.',
    'A page of events, in the order of their start.': 'Eine Seite mit Veranstaltungen, geordnet nach ihrem Beginn.',
    'The items of this page.': 'Die Einträge dieser Seite.',
    'Address of this list with its effective arguments.': 'Adresse dieser Liste mit den wirksamen Angaben.',
    'Address of the next page, when there is one.': 'Adresse der nächsten Seite, wenn es eine gibt.',
    'Address of the page before, when there is one.': 'Adresse der vorigen Seite, wenn es eine gibt.',
    'Create an event': 'Veranstaltung anlegen',
    'Venues, organizers, categories and tags may be created along with it. Without the right to publish it waits for review.':
      'Veranstaltungsorte, Veranstalter, Kategorien und Schlagwörter können dabei mit angelegt werden. Ohne das Recht zu veröffentlichen wartet sie auf Prüfung.',
    'It has been created, or existed already.': 'Es wurde angelegt oder war schon vorhanden.',
    'Read an event': 'Veranstaltung lesen',
    'Move an event to the trash': 'Veranstaltung in den Papierkorb legen',
    'It is in the trash.': 'Es liegt im Papierkorb.',
    'Change an event': 'Veranstaltung ändern',
    'Members that are not sent keep their values. POST, PUT and PATCH do the same.':
      'Was nicht gesendet wird, behält seinen Wert. POST, PUT und PATCH bewirken dasselbe.',
    'It has been changed.': 'Es wurde geändert.',
    'Read an event by its slug': 'Veranstaltung anhand ihres Kurznamens lesen',
    'Move an event to the trash by its slug': 'Veranstaltung anhand ihres Kurznamens in den Papierkorb legen',
    'Change an event by its slug': 'Veranstaltung anhand ihres Kurznamens ändern',
    'List venues': 'Veranstaltungsorte auflisten',
    'A page of venues, the newest first.': 'Eine Seite mit Veranstaltungsorten, der neueste zuerst.',
    'Create a venue': 'Veranstaltungsort anlegen',
    'A venue of the same name and description is answered instead, if there is one. Without the right to publish it waits for review.':
      'Gibt es schon einen Veranstaltungsort mit diesem Namen und dieser Beschreibung, wird mit ihm geantwortet. Ohne das Recht zu veröffentlichen wartet er auf Prüfung.',
    'Read a venue': 'Veranstaltungsort lesen',
    'Move a venue to the trash; its events have it no longer':
      'Veranstaltungsort in den Papierkorb legen; seine Veranstaltungen haben ihn nicht mehr',
    'Change a venue': 'Veranstaltungsort ändern',
    'Read a venue by its slug': 'Veranstaltungsort anhand seines Kurznamens lesen',
    'Move a venue to the trash by its slug; its events have it no longer':
      'Veranstaltungsort anhand seines Kurznamens in den Papierkorb legen; seine Veranstaltungen haben ihn nicht mehr',
    'Change a venue by its slug': 'Veranstaltungsort anhand seines Kurznamens ändern',
    'List organizers': 'Veranstalter auflisten',
    'A page of organizers, the newest first.': 'Eine Seite mit Veranstaltern, der neueste zuerst.',
    'Create an organizer': 'Veranstalter anlegen',
    'An organizer of the same name and description is answered instead, if there is one. Without the right to publish it waits for review.':
      'Gibt es schon einen Veranstalter mit diesem Namen und dieser Beschreibung, wird mit ihm geantwortet. Ohne das Recht zu veröffentlichen wartet er auf Prüfung.',
    'Read an organizer': 'Veranstalter lesen',
    'Move an organizer to the trash; its events have it no longer':
      'Veranstalter in den Papierkorb legen; seine Veranstaltungen haben ihn nicht mehr',
    'Change an organizer': 'Veranstalter ändern',
    'Read an organizer by its slug': 'Veranstalter anhand seines Kurznamens lesen',
    'Move an organizer to the trash by its slug; its events have it no longer':
      'Veranstalter anhand seines Kurznamens in den Papierkorb legen; seine Veranstaltungen haben ihn nicht mehr',
    'Change an organizer by its slug': 'Veranstalter anhand seines Kurznamens ändern',
    'List categories': 'Kategorien auflisten',
    'A page of categories.': 'Eine Seite mit Kategorien.',
    'Create a category': 'Kategorie anlegen',
    'Read a category': 'Kategorie lesen',
    'The term; less of it with context=embed.': 'Der Begriff; mit context=embed weniger davon.',
    'Change a category': 'Kategorie ändern',
    'Delete a category; its children move up, its events have it no longer':
      'Kategorie löschen; die ihr untergeordneten rücken auf, ihre Veranstaltungen haben sie nicht mehr',
    'It is gone; this is what it was.': 'Es ist gelöscht; so sah es aus.',
    'List tags': 'Schlagwörter auflisten',
    'A page of tags.': 'Eine Seite mit Schlagwörtern.',
    'Create a tag': 'Schlagwort anlegen',
    'Read a tag': 'Schlagwort lesen',
    'Change a tag': 'Schlagwort ändern',
    'Delete a tag; its events have it no longer': 'Schlagwort löschen; seine Veranstaltungen haben es nicht mehr',
    'What happened to an event': 'Was mit einer Veranstaltung geschah',
    'Revisions, the newest first.': 'Fassungen, die neueste zuerst.',
    'What happened to a venue': 'Was mit einem Veranstaltungsort geschah',
    'What happened to an organizer': 'Was mit einem Veranstalter geschah',
    'What happened to a category': 'Was mit einer Kategorie geschah',
    'What happened to a tag': 'Was mit einem Schlagwort geschah',
    'What happens, as it happens': 'Was geschieht, während es geschieht',
    'Page by page, waiting for the next change, or as a stream of server-sent events for those who accept text/event-stream. Everybody hears of what they may read the history of.':
      'Seite für Seite, mit Warten auf die nächste Änderung oder als Strom von Server-Sent Events, wenn text/event-stream angenommen wird. Gezeigt wird, wovon der Verlauf gelesen werden darf.',
    'Changes, oldest first.': 'Änderungen, die älteste zuerst.',
    'The changes.': 'Die Änderungen.',
    'Everything up to here has been looked at; send it as after to go on.':
      'Bis hierher wurde alles betrachtet; als after senden, um fortzufahren.',
    'Whether the log goes on behind next.': 'Ob das Protokoll hinter next weitergeht.',
    'Events named change; their data is a ChangeEntry, their id its position.':
      'Ereignisse mit dem Namen change; ihre Daten sind ein ChangeEntry, ihre Kennung ist dessen Position.',
    'Make an event look as it did at a revision': 'Veranstaltung auf eine Fassung zurücksetzen',
    'What it was in between stays in its history.': 'Was dazwischen war, bleibt im Verlauf.',
    'Make a venue look as it did at a revision': 'Veranstaltungsort auf eine Fassung zurücksetzen',
    'Make an organizer look as it did at a revision': 'Veranstalter auf eine Fassung zurücksetzen',
    'Make a category look as it did at a revision': 'Kategorie auf eine Fassung zurücksetzen',
    'Make a tag look as it did at a revision': 'Schlagwort auf eine Fassung zurücksetzen',
    'Events as an iCalendar, to subscribe to': 'Veranstaltungen als iCalendar zum Abonnieren',
    'Those that the list finds by the same filters, on one page: the first 10,000 in its order.':
      'Dieselben, die die Liste mit denselben Filtern findet, auf einer Seite: die ersten 10.000 in deren Reihenfolge.',
    'An event as an iCalendar': 'Eine Veranstaltung als iCalendar',
    'One event, for whoever may read it.': 'Eine einzelne Veranstaltung, für alle, die sie lesen dürfen.',
    'The newest events as RSS': 'Die neuesten Veranstaltungen als RSS',
    'The 50 events that were published last, the newest first.':
      'Die 50 zuletzt veröffentlichten Veranstaltungen, die neueste zuerst.',
    'The newest events as Atom': 'Die neuesten Veranstaltungen als Atom',
    'Words that must occur in the login, the name or the e-mail address.':
      'Wörter, die in Anmeldename, Name oder E-Mail-Adresse vorkommen müssen.',
    'Only users with this role.': 'Nur Konten mit dieser Rolle.',
    'What the user signs in with, at most 60 characters without a colon.':
      'Anmeldename, höchstens 60 Zeichen ohne Doppelpunkt.',
    'One of administrator, editor, author, contributor, subscriber.':
      'Eines von administrator, editor, author, contributor, subscriber.',
    'Name of the user as shown to others.': 'Name des Kontos, wie er anderen gezeigt wird.',
    'E-mail address, which signs in like the login; empty for none.':
      'E-Mail-Adresse, mit der man sich wie mit dem Anmeldenamen anmeldet; leer für keine.',
    'What the token is for.': 'Wozu das Token dient.',
    'Id of the user.': 'Kennung des Kontos.',
    'A token by itself, or one of the single sign-on where there is one.':
      'Ein Token für sich allein, oder eines der Einmalanmeldung, wo es eine gibt.',
    'List users': 'Konten auflisten',
    'A page of users, by id.': 'Eine Seite mit Konten, nach Kennung.',
    'A user.': 'Ein Konto.',
    'What the user signs in with.': 'Anmeldename.',
    'Name as shown to others.': 'Name, wie er anderen gezeigt wird.',
    'E-mail address; empty for none.': 'E-Mail-Adresse; leer für keine.',
    'What the user may do.': 'Was das Konto darf.',
    'Tokens that are good to sign in with.': 'Token, die zum Anmelden taugen.',
    'A token as it is listed; its text is stored nowhere.':
      'Ein Token, wie es aufgelistet wird; sein Text ist nirgends gespeichert.',
    'Number of the token among those of its user.': 'Nummer des Tokens unter denen des Kontos.',
    'What it was issued for.': 'Wofür er ausgestellt wurde.',
    'When it was issued, in UTC.': 'Wann er ausgestellt wurde, in UTC.',
    'Address of the user in this API.': 'Adresse des Kontos in dieser API.',
    'Who the user is to the single sign-on.': 'Wer das Konto für die Einmalanmeldung ist.',
    'Issuer of the tokens.': 'Aussteller der Tokens.',
    "The issuer's name for the user.": 'Wie der Aussteller das Konto nennt.',
    'Add a user with a first token': 'Konto mit einem ersten Token anlegen',
    'The token stands in the answer and nowhere else. A request that is repeated with its key tells it no more.':
      'Das Token steht in der Antwort und sonst nirgends. Eine mit ihrem Schlüssel wiederholte Anfrage nennt es nicht noch einmal.',
    'The user, with the token.': 'Das Konto, mit dem Token.',
    'The token, told this once. Null when the request was repeated: then revoke it and issue another.':
      'Das Token, nur dieses eine Mal genannt. Null, wenn die Anfrage wiederholt wurde: dann widerrufen und ein anderes ausstellen.',
    'Read the own profile': 'Eigenes Profil lesen',
    'Read a user': 'Konto lesen',
    'Change role, name or e-mail address of a user': 'Rolle, Namen oder E-Mail-Adresse eines Kontos ändern',
    'Remove a user; names are free again, the id is not':
      'Konto entfernen; seine Namen werden wieder frei, die Kennung nicht',
    'List the tokens of a user': 'Token eines Kontos auflisten',
    'The tokens.': 'Die Token.',
    'Those that are good to sign in with.': 'Die, die zum Anmelden taugen.',
    'Issue a token to a user': 'Einem Konto ein Token ausstellen',
    'The token, with its text.': 'Das Token, mit seinem Text.',
    'Revoke a token of a user': 'Token eines Kontos widerrufen',
    'What happened to a user': 'Was mit einem Konto geschah',
    'Id of the token.': 'Kennung des Tokens.',
    'Names of what somebody else has.': 'Namen dessen, was schon jemand anderes hat.',
  },
};
