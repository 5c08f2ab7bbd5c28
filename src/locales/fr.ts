// French.
//
// Manner: neutral and short. Nobody is addressed: what to do next stands in the infinitive (« Demander une page précédente. »).
// Names of parameters, members, headers and values (as_of, data.conflicts, publish) stay as they are. Quotes: « … », apostrophe ’.
// A no-break space (U+00A0) stands inside the quotes, before : ; ! ? and in numbers. Sentences of histories are participles of
// events, venues, organizers and accounts (masculine); of categories and tags they name what changed, or say « terme ».
//
//   event événement             venue lieu                 organizer organisateur        category catégorie
//   tag étiquette               term terme                 id identifiant                slug slug
//   title titre                 excerpt extrait            featured mis en avant         pinned épinglé
//   status statut               draft brouillon            trash corbeille               author auteur
//   revision révision           to revert ramener à        history historique            fact fait
//   log journal                 views vues                 position position             feed of changes flux de modifications
//   parameter paramètre         route route                request requête               answer réponse
//   user, account compte        token jeton
//   sign-in data données de connexion                      token jeton                   single sign-on authentification unique
//   to sign in se connecter     right droit                body corps                    list liste
//   thing objet                 kind genre                 sort type                     header en-tête
import type { Translation } from './language.ts';

const PASSWORD_SET = { by: 'before.password', some: 'Mot de passe modifié.', none: 'Mot de passe défini.' };
const PASSWORD_REMOVED = 'Mot de passe retiré.';
const PUBLISHED = 'Publié.';
const SCHEDULED = 'Publication prévue le {date}.';
const DRAFT = 'Remis à l’état de brouillon.';
const PENDING = 'Soumis à relecture.';
const PRIVATE = 'Rendu privé.';
const TRASHED = 'Mis à la corbeille.';
const RESTORED = 'Sorti de la corbeille avec le statut {status}.';
const SLUG = {
  by: 'before.slug',
  some: 'Slug changé de {before.slug} en {slug}.',
  none: 'Slug {slug} attribué.',
};
const DATED = 'Date de publication fixée : {date}.';
const UNDATED = 'Date de publication laissée ouverte.';
const REASSIGNED = 'Attribué à l’auteur {author}.';
const DESCRIBED = { by: 'description', some: 'Description modifiée.', none: 'Description retirée.' };
const IMAGE = { by: 'image', some: 'Image modifiée.', none: 'Image retirée.' };
const MAP_DISPLAY = 'Affichage de la carte modifié.';
const REVERTED = 'Retour à la révision {fact.toRevision}.';
const TERM_CREATED = 'Terme créé sous le nom « {name} ».';
const TERM_RENAMED = 'Nom changé de « {before.name} » en « {name} ».';
const TERM_MOVED = {
  by: 'parent',
  some: 'Terme placé sous le terme {parent}.',
  none: 'Terme placé au premier niveau.',
};
const TERM_DELETED = 'Terme supprimé.';
const TERM_RESTORED = 'Terme rétabli après suppression.';

export const FRENCH: Translation = {
  code: 'fr',
  free: 'Gratuit',
  errors: {
    rest_no_route:
      'Rien ne répond à ce chemin avec cette méthode. L’index à la racine de l’API donne la liste des routes.',
    rest_invalid_namespace: 'Cet espace de noms n’existe pas. Omettre l’argument ou envoyer celui de cette API.',
    rest_invalid_json:
      'Le corps n’est pas du JSON valide en UTF-8. Le corriger ou l’envoyer avec son propre type de contenu.',
    rest_invalid_form: 'Le corps en plusieurs parties est illisible. Vérifier son délimiteur et qu’il est complet.',
    rest_too_many_parameters:
      'L’adresse ou le formulaire a trop de membres, ou des membres trop imbriqués. En envoyer moins.',
    rest_invalid_host: 'L’en-tête Host n’est pas un nom d’hôte, avec ou sans port.',
    rest_bad_request: 'La requête n’est pas du HTTP valide.',
    rest_callback_disabled: 'JSONP n’est pas proposé. Omettre _jsonp et faire une requête CORS.',
    rest_missing_callback_param: 'Paramètres manquants',
    rest_invalid_param: 'Paramètres non valides',
    rest_forbidden: 'Ce droit manque. Se connecter avec un compte qui l’a.',
    invalid_username: 'Aucun compte n’a ce nom de connexion. Vérifier le nom dans les données de connexion.',
    invalid_email: 'Aucun compte n’a cette adresse e-mail. Vérifier le nom dans les données de connexion.',
    incorrect_password: 'Le jeton est faux ou a été révoqué. En demander un nouveau.',
    rest_invalid_token: 'Le jeton n’est pas valide ici, ou ne l’est plus. Se reconnecter pour en obtenir un nouveau.',
    rest_no_role:
      'Le jeton ne donne aucun rôle dans ce calendrier. En demander un à la personne qui gère l’authentification unique.',
    rest_user_removed: 'Ce compte a été retiré du calendrier. S’adresser à l’administration du calendrier.',
    rest_sign_on_unavailable:
      'Les clés de l’authentification unique sont momentanément inaccessibles. Réessayer après le nombre de secondes indiqué par Retry-After.',
    rest_user_not_found: 'Ce compte n’existe pas. GET /users donne la liste de ceux qui existent.',
    rest_user_page_not_found: 'La liste des comptes a moins de pages. Demander une page précédente.',
    rest_user_exists:
      'Un autre compte a ce nom de connexion ou cette adresse e-mail. data.params indique ce qui est pris ; choisir autre chose.',
    rest_last_administrator:
      'Personne ne pourrait plus administrer le calendrier : c’est le dernier compte qui a le rôle administrator et un jeton. Donner d’abord ce rôle et un jeton à un autre compte.',
    rest_credential_not_found: 'Ce jeton n’existe pas, ou il a déjà été révoqué.',
    'rest-event-not-found': 'Cet événement n’existe pas.',
    'rest-invalid-event-id': 'Cet identifiant appartient à autre chose qu’un événement.',
    'event-not-accessible': 'Cet événement n’est pas public, et le droit de le lire manque.',
    'venue-not-accessible': 'Ce lieu n’est pas public, et le droit de le lire manque.',
    'organizer-not-accessible': 'Cet organisateur n’est pas public, et le droit de le lire manque.',
    'event-no-longer-available': 'Cet événement est dans la corbeille. Quiconque peut le modifier peut l’en sortir.',
    'event-password-protected': 'Cet événement exige son mot de passe. L’envoyer comme paramètre password.',
    'event-archive-page-not-found': 'La liste des événements a moins de pages. Demander une page précédente.',
    'venue-archive-page-not-found': 'La liste des lieux a moins de pages. Demander une page précédente.',
    'organizer-archive-page-not-found': 'La liste des organisateurs a moins de pages. Demander une page précédente.',
    'event-is-in-trash': 'Cet événement est déjà dans la corbeille.',
    'venue-is-in-trash': 'Ce lieu est déjà dans la corbeille.',
    'organizer-is-in-trash': 'Cet organisateur est déjà dans la corbeille.',
    'organizer-is-erased':
      'Les données personnelles de cet organisateur ont été effacées, et il n’en reçoit pas d’autres. Créer un nouvel organisateur.',
    'could-not-create-venue':
      'Le lieu ne peut pas être créé. Lui donner un nom, ou envoyer l’identifiant d’un lieu existant.',
    'could-not-create-organizer':
      'L’organisateur ne peut pas être créé. Lui donner un nom, ou envoyer l’identifiant d’un organisateur existant.',
    term_exists: 'Un terme de ce nom existe déjà sous ce parent ; data.term_id est son identifiant.',
    rest_taxonomy_not_hierarchical: 'Les étiquettes n’ont pas de parent. Omettre parent.',
    duplicate_term_slug: 'Un autre terme a ce slug. En choisir un autre.',
    rest_history_page_not_found: 'L’historique a moins de pages. Demander une page précédente.',
    rest_revision_not_found: 'Cette révision n’existe pas. En demander une de 0 à data.last_revision.',
    rest_revert_conflict: 'Le retour à cet état est impossible ; data.conflicts indique ce qui s’y oppose.',
    rest_not_there_then:
      'À cet instant, cela n’existait pas ou n’était pas public. Demander un instant ultérieur dans as_of.',
    rest_past_protected:
      'Les anciens états de ce qu’un mot de passe protège sont réservés à ceux qui peuvent en lire l’historique. Se connecter avec un tel compte.',
    rest_precondition_failed: 'Un changement a eu lieu depuis la lecture. Relire et recommencer avec le nouvel ETag.',
    rest_request_too_large: 'Le corps dépasse la taille permise. Envoyer moins à la fois.',
    rest_uri_too_long: 'L’adresse dépasse 16 Kio. Envoyer les paramètres dans le corps.',
    rest_headers_too_large: 'Les en-têtes dépassent la taille permise. En envoyer moins ou de plus courts.',
    rest_request_timeout: 'La requête n’est pas arrivée à temps. La renvoyer.',
    rest_rate_limited: 'Trop d’essais. Attendre aussi longtemps que l’indique Retry-After.',
    internal_server_error: 'Une erreur s’est produite ici. Indiquer l’en-tête X-Request-Id en la signalant.',
    rest_unavailable:
      'Le calendrier est momentanément inaccessible. Réessayer après le nombre de secondes indiqué par Retry-After.',
  },
  sentences: {
    separator: ', ',
    users: {
      UserAdded: 'Ajouté sous le nom de connexion « {login} » avec le rôle {role}.',
      UserIdentityBound: 'Lié au sujet {fact.subject} de l’émetteur {fact.issuer}.',
      UserCredentialIssued: 'Jeton {credential} délivré : {label}.',
      UserCredentialRevoked: 'Jeton {credential} révoqué : {label}.',
      UserRoleChanged: 'Rôle changé de {before.role} en {role}.',
      UserRenamed: 'Nom changé de « {before.name} » en « {name} ».',
      UserEmailChanged: { by: 'email', some: 'Adresse e-mail définie : {email}.', none: 'Adresse e-mail retirée.' },
      UserRemoved: 'Retiré.',
      UserErased: 'Données personnelles effacées.',
    },
    facts: {
      EventDrafted: 'Créé sous le titre « {title} ».',
      EventRetitled: 'Titre changé de « {before.title} » en « {title} ».',
      EventDescribed: 'Description ou extrait modifié.',
      EventRescheduled: 'Déplacé de {before.start_date} – {before.end_date} à {start_date} – {end_date} ({timezone}).',
      EventAdjustedToZoneRules:
        'Adapté aux règles de fuseau horaire {fact.rules} : de {before.start_date} – {before.end_date} ({before.utc_start_date} – {before.utc_end_date} UTC) à {start_date} – {end_date} ({utc_start_date} – {utc_end_date} UTC, {timezone}).',
      EventPriced: { by: 'cost', some: 'Prix fixé : {cost}.', none: 'Prix retiré.' },
      EventWebsiteChanged: { by: 'website', some: 'Site web défini : {website}.', none: 'Site web retiré.' },
      EventImageChanged: IMAGE,
      EventMapDisplayChanged: MAP_DISPLAY,
      EventHiddenFromListings: 'Retiré des listes.',
      EventShownInListings: 'Affiché dans les listes.',
      EventMadeSticky: 'Épinglé dans le calendrier.',
      EventUnstuck: 'N’est plus épinglé dans le calendrier.',
      EventFeatured: 'Mis en avant.',
      EventUnfeatured: 'N’est plus mis en avant.',
      EventExtended: 'Données reprises d’un autre calendrier modifiées.',
      EventTicketed: 'Marqué comme événement à billets.',
      EventUnticketed: 'N’est plus marqué comme événement à billets.',
      EventCategorized: {
        by: 'categories',
        some: 'Catégories définies : {categories}.',
        none: 'Catégories retirées.',
      },
      EventTagged: { by: 'tags', some: 'Étiquettes définies : {tags}.', none: 'Étiquettes retirées.' },
      EventMoved: { by: 'venue', some: 'Lieu fixé : {venue}.', none: 'Lieu retiré.' },
      EventOrganizersChanged: {
        by: 'organizer',
        some: 'Organisateurs définis : {organizer}.',
        none: 'Organisateurs retirés.',
      },
      EventPlacedUnder: {
        by: 'post_parent',
        some: 'Rattaché à l’événement {post_parent}.',
        none: 'N’est plus rattaché à un autre événement.',
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

      VenueDrafted: 'Créé sous le nom « {venue} ».',
      VenueRenamed: 'Nom changé de « {before.venue} » en « {venue} ».',
      VenueDescribed: DESCRIBED,
      VenueRelocated: 'Adresse postale modifiée.',
      VenuePinned: {
        by: 'geo_lat',
        some: 'Placé sur la carte à {geo_lat}, {geo_lng}.',
        none: 'Retiré de la carte.',
      },
      VenueContactChanged: 'Numéro de téléphone ou site web modifié.',
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

      OrganizerDrafted: 'Créé sous le nom « {organizer} ».',
      OrganizerRenamed: 'Nom changé de « {before.organizer} » en « {organizer} ».',
      OrganizerDescribed: DESCRIBED,
      OrganizerContactChanged: 'Numéro de téléphone, site web ou adresse e-mail modifié.',
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
      OrganizerErased: 'Données personnelles effacées.',

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
    unknown: 'Modification que cette version du programme ne connaît pas ({type}).',
    erased: 'Ce qui était dit ici a été effacé.',
  },
  phrases: {
    clause_separator: ' ; ',

    missing_parameters: 'Paramètres manquants : {names}',
    invalid_parameters: 'Paramètres non valides : {names}',
    refused_parameter: 'Paramètres non valides : {name}. {why}',
    invalid_parameter: 'Paramètre non valide.',
    mistyped_parameter: '{name} n’est pas du type {type}.',
    allowed_range: '{name} doit être compris entre {least} et {most}.',
    allowed_from: '{name} doit être un nombre entier à partir de {least}.',
    allowed_one_of: '{name} doit être l’une des valeurs {values}.',
    allowed_some_of: '{name} doit être une ou plusieurs des valeurs {values}.',
    allowed_public_status: '{name} doit être publish : les autres valeurs exigent le droit de modifier.',
    allowed_date: '{name} doit être une date telle que {examples}.',
    allowed_filled_text: '{name} doit être un texte non vide de {most} octets au plus.',
    allowed_text: '{name} doit être un texte de {most} octets au plus.',
    allowed_characters: '{name} doit être un texte de {least} à {most} caractères.',
    allowed_id: '{name} doit être un identifiant existant ({kind}).',
    allowed_ids: '{name} doit contenir de 1 à {most} identifiants existants ({kind}).',
    allowed_any_ids: '{name} doit contenir de 1 à {most} identifiants.',
    allowed_terms: '{name} doit contenir de 1 à {most} slugs, noms ou identifiants existants ({kind}).',
    allowed_term_members:
      '{name} doit contenir au plus {most} noms, slugs ou identifiants, de {characters} caractères au plus chacun.',
    allowed_slug: '{name} doit être un slug existant ({kind}).',
    allowed_zone: '{name} doit être un fuseau horaire tel que {examples}.',
    allowed_address: '{name} doit être une adresse absolue telle que {example}.',
    allowed_image: '{name} doit être l’identifiant d’une image existante ou une adresse telle que {example}.',
    allowed_cost: '{name} doit être un montant ou un texte tel que {examples}, ou au plus {most} d’entre eux.',
    allowed_coordinate: '{name} doit être compris entre {least} et {most} et accompagné de {partner}.',
    allowed_distance: '{name} doit être supérieur à 0 et au plus égal à {most}.',
    allowed_links:
      '{name} doit contenir des identifiants existants hors de la corbeille, ou des objets avec le membre {member}.',
    json_syntax: 'Erreur de syntaxe',
    json_depth: 'Trop d’imbrications',
    json_encoding: 'Le corps n’est pas en UTF-8',

    unknown_locale: 'Cette langue n’existe pas ici. En envoyer une parmi {codes}, ou l’omettre.',
    unknown_type: '« {word} » n’est ni un genre ({kinds}) ni un type de fait.',
    no_position: 'Ce n’est pas une position. Envoyer tel quel le next d’une réponse antérieure, ou l’omettre.',
    as_of_beside_revision: 'Ne peut pas accompagner revision. Envoyer l’un des deux.',
    revision_is_whole: 'Les révisions sont des nombres entiers à partir de 0.',
    unreadable_instant: 'Ce n’est pas lisible comme date et heure. Envoyer une valeur telle que {example}.',
    future_instant: '{instant} se situe dans l’avenir : il est {now}. Envoyer un instant antérieur.',
    past_status: 'Les listes à un instant donné montrent ce qui était public. Omettre ce paramètre ou envoyer publish.',
    readiness_purpose: 'for est soit reads, soit writes ; l’omettre pour tout demander.',

    no_such_revision: 'La révision {revision} n’existe pas : les révisions vont de 0 à {last}. Demander l’une d’elles.',
    before_first_event:
      '{as_of} précède le premier fait, qui date de {since}. Demander un instant ultérieur dans as_of.',
    too_many_waiting:
      'Trop de demandes attendent déjà des modifications. Demander sans attendre, ou après le nombre de secondes indiqué par Retry-After.',
    past_queue_full:
      'Trop de listes d’autres instants sont en préparation. Réessayer après le nombre de secondes indiqué par Retry-After, ou demander l’une d’elles.',
    views_not_there:
      'Les vues n’ont pas encore atteint la position de {header}. Réessayer après le nombre de secondes indiqué par Retry-After.',

    cannot_revert: 'Rien n’a été écrit, car le retour à cet état est impossible : {conflicts}.',
    conflict_taken: 'le slug {slug} est déjà pris par {thing}',
    conflict_taken_by_unknown: 'le slug {slug} est déjà pris par autre chose',
    conflict_in_trash: '{thing} est dans la corbeille ({field})',
    conflict_deleted: '{thing} a fait l’objet d’une suppression ({field})',
    conflict_gone: '{thing} n’existe plus ({field})',
    conflict_circle: 'sous {thing}, l’objet serait au-dessous de lui-même ({field})',
    // With their articles: no preposition that would melt with them stands before a thing.
    thing_event: 'l’événement {id}',
    thing_venue: 'le lieu {id}',
    thing_organizer: 'l’organisateur {id}',
    thing_category: 'la catégorie {id}',
    thing_tag: 'l’étiquette {id}',
    thing_image: 'l’image {id}',
    thing_user: 'le compte {id}',
    thing_unknown: '{kind} {id}',
  },
  descriptions: {
    'The namespace of this API.': 'L’espace de noms de cette API.',
    'Without effect.': 'Sans effet.',
    'Page of the list to answer, from 1.': 'Page de la liste à renvoyer, à partir de 1.',
    'Items on a page; more than 50 count as 50.': 'Éléments par page ; au-delà de 50, c’est 50 qui compte.',
    'Only events that start on this date or later.':
      'Seulement les événements qui commencent à cette date ou plus tard.',
    'Only events that end on this date or earlier.':
      'Seulement les événements qui se terminent à cette date ou plus tôt.',
    'Only events that start before this date.': 'Seulement les événements qui commencent avant cette date.',
    'Only events that start after this date.': 'Seulement les événements qui commencent après cette date.',
    'Only events that end before this date.': 'Seulement les événements qui se terminent avant cette date.',
    'Only events that end after this date.': 'Seulement les événements qui se terminent après cette date.',
    'Yes: dates count to the second; no: by whole days.':
      'Oui : les dates comptent à la seconde près ; non : par jours entiers.',
    'Words that must occur in title, description or excerpt.':
      'Mots qui doivent figurer dans le titre, la description ou l’extrait.',
    'Ids or slugs of categories; events in one of them or below.':
      'Identifiants ou slugs de catégories ; les événements de l’une d’elles ou de leurs sous-catégories.',
    'Ids or slugs of tags; events with one of them.':
      'Identifiants ou slugs d’étiquettes ; les événements qui portent l’une d’elles.',
    'Ids of venues; events at one of them.': 'Identifiants de lieux ; les événements qui se tiennent dans l’un d’eux.',
    'Ids of organizers; events by one of them.': 'Identifiants d’organisateurs ; les événements de l’un d’eux.',
    'Yes: only featured events; no: only others.':
      'Oui : seulement les événements mis en avant ; non : seulement les autres.',
    'One status or several; everything but publish needs the right to edit.':
      'Un ou plusieurs statuts ; tout autre que publish exige le droit de modifier.',
    'Yes: only events whose venue has coordinates; no: only others.':
      'Oui : seulement les événements dont le lieu a des coordonnées ; non : seulement les autres.',
    'Latitude of the middle of a circle; only with geoloc_lng.':
      'Latitude du centre d’un cercle ; seulement avec geoloc_lng.',
    'Longitude of the middle of a circle; only with geoloc_lat.':
      'Longitude du centre d’un cercle ; seulement avec geoloc_lat.',
    'Radius of the circle in kilometres. Default: 25.': 'Rayon du cercle en kilomètres. Par défaut : 25.',
    'Ids of the only events to list; the default dates then do not apply.':
      'Identifiants des seuls événements à lister ; les dates par défaut ne s’appliquent alors pas.',
    'Only events that belong to the event with this id.':
      'Seulement les événements rattachés à l’événement qui porte cet identifiant.',
    'Yes: only events with tickets; no: only others.':
      'Oui : seulement les événements à billets ; non : seulement les autres.',
    'What the public calendar showed at this instant, in the zone of the site unless the value says its own.':
      'Ce que le calendrier public montrait à cet instant, dans le fuseau du site sauf si la valeur indique le sien.',
    'Title of the event.': 'Titre de l’événement.',
    'Start, in the zone of the event unless the value says its own.':
      'Début, dans le fuseau de l’événement sauf si la valeur indique le sien.',
    'End, in the zone of the event unless the value says its own.':
      'Fin, dans le fuseau de l’événement sauf si la valeur indique le sien.',
    'Id of the user who is the author. Default: the caller.':
      'Identifiant du compte de l’auteur. Par défaut : celui de l’appelant.',
    'Date and time of publication, in the zone of the site.': 'Date et heure de publication, dans le fuseau du site.',
    'Date and time of publication, in UTC.': 'Date et heure de publication, en UTC.',
    'One of publish, future, draft, pending, private, trash.':
      'L’une des valeurs publish, future, draft, pending, private, trash.',
    'Description of the event.': 'Description de l’événement.',
    'Slug of the event. Default: derived from the title.': 'Slug de l’événement. Par défaut : tiré du titre.',
    'Short description of the event.': 'Brève description de l’événement.',
    'Time zone of the event. Default: the zone of the site.':
      'Fuseau horaire de l’événement. Par défaut : celui du site.',
    'Whether it takes whole days.': 'S’il dure des journées entières.',
    'Id of an image, or its absolute http or https address.':
      'Identifiant d’une image, ou son adresse absolue en http ou https.',
    'Cost: an amount, a text, or several of them.': 'Prix : un montant, un texte ou plusieurs d’entre eux.',
    "Absolute address of the event's own web site.": 'Adresse absolue du site web propre à l’événement.',
    'Whether a map is shown.': 'Si une carte est affichée.',
    'Whether a link to a map is shown.': 'Si un lien vers une carte est affiché.',
    'Whether lists leave it out.': 'Si les listes l’omettent.',
    'Whether it is pinned in the calendar.': 'S’il est épinglé dans le calendrier.',
    'Whether it is featured.': 'S’il est mis en avant.',
    'Whether it has tickets.': 'S’il y a des billets.',
    'Id of the event that it belongs to; 0 for none.':
      'Identifiant de l’événement auquel il est rattaché ; 0 pour aucun.',
    'Ids, slugs or names of categories; new names are created.':
      'Identifiants, slugs ou noms de catégories ; les nouveaux noms sont créés.',
    'Ids, slugs or names of tags; new names are created.':
      'Identifiants, slugs ou noms d’étiquettes ; les nouveaux noms sont créés.',
    'Ids of venues, or entries to be created.': 'Identifiants de lieux, ou données de lieux à créer.',
    'Ids of organizers, or entries to be created.': 'Identifiants d’organisateurs, ou données d’organisateurs à créer.',
    'Password that readers must present; empty removes it.':
      'Mot de passe que les lecteurs doivent présenter ; une valeur vide le retire.',
    'Id of the event.': 'Identifiant de l’événement.',
    'Password of the event, if it has one.': 'Mot de passe de l’événement, s’il en a un.',
    'The state at this instant, in the zone of the site unless the value says its own.':
      'L’état à cet instant, dans le fuseau du site sauf si la valeur indique le sien.',
    'The state at this revision, from 0. For those who may read the history.':
      'L’état à cette révision, à partir de 0. Pour ceux qui peuvent lire l’historique.',
    'Slug of the event.': 'Slug de l’événement.',
    'Words that must occur in one of the text fields.': 'Mots qui doivent figurer dans l’un des champs de texte.',
    'Only venues of the event with this id.': 'Seulement les lieux de l’événement qui porte cet identifiant.',
    'Yes: only venues that have events; no: only those without.':
      'Oui : seulement les lieux qui ont des événements ; non : seulement ceux qui n’en ont pas.',
    'Yes: only venues with an event that starts now or later.':
      'Oui : seulement les lieux qui ont un événement commençant maintenant ou plus tard.',
    'Name of the venue.': 'Nom du lieu.',
    'Description of the venue.': 'Description du lieu.',
    'Street address.': 'Numéro et rue.',
    'City.': 'Ville.',
    'Country.': 'Pays.',
    'Province.': 'Province.',
    'State.': 'État.',
    'Postal code.': 'Code postal.',
    'Telephone number.': 'Numéro de téléphone.',
    'State or province; derived from these two when empty.':
      'État ou province ; tiré de ces deux champs s’il est vide.',
    "Absolute address of the venue's own web site.": 'Adresse absolue du site web propre au lieu.',
    'Latitude in degrees; only with geo_lng. Both empty: none.':
      'Latitude en degrés ; seulement avec geo_lng. Les deux vides : aucune.',
    'Longitude in degrees; only with geo_lat. Both empty: none.':
      'Longitude en degrés ; seulement avec geo_lat. Les deux vides : aucune.',
    'Id of the venue.': 'Identifiant du lieu.',
    'Slug of the venue.': 'Slug du lieu.',
    'Only organizers of the event with this id.':
      'Seulement les organisateurs de l’événement qui porte cet identifiant.',
    'Yes: only organizers that have events; no: only those without.':
      'Oui : seulement les organisateurs qui ont des événements ; non : seulement ceux qui n’en ont pas.',
    'Yes: only organizers with an event that starts now or later.':
      'Oui : seulement les organisateurs qui ont un événement commençant maintenant ou plus tard.',
    'Name of the organizer.': 'Nom de l’organisateur.',
    'Description of the organizer.': 'Description de l’organisateur.',
    "Absolute address of the organizer's own web site.": 'Adresse absolue du site web propre à l’organisateur.',
    'E-mail address.': 'Adresse e-mail.',
    'Id of the organizer.': 'Identifiant de l’organisateur.',
    'Slug of the organizer.': 'Slug de l’organisateur.',
    'Words that must occur in the name or the slug.': 'Mots qui doivent figurer dans le nom ou le slug.',
    'Ids of terms to leave out.': 'Identifiants des termes à omettre.',
    'Ids of the only terms to list.': 'Identifiants des seuls termes à lister.',
    'asc for ascending; anything else is descending.':
      'asc pour l’ordre croissant ; toute autre valeur pour l’ordre décroissant.',
    'Member to order by: name, id, slug, count, description, parent, include.':
      'Membre qui donne l’ordre : name, id, slug, count, description, parent, include.',
    'Leave out terms that no published event carries.': 'Omettre les termes qu’aucun événement publié ne porte.',
    'Only children of the category with this id.': 'Seulement les enfants de la catégorie qui porte cet identifiant.',
    'Only terms of the event with this id.': 'Seulement les termes de l’événement qui porte cet identifiant.',
    'The same as post, and stronger.': 'Comme post, mais l’emporte sur lui.',
    'Only the term with exactly this slug.': 'Seulement le terme qui a exactement ce slug.',
    'Name of the term, at most 200 characters.': 'Nom du terme, 200 caractères au plus.',
    'Description of the term.': 'Description du terme.',
    'Slug of the term. Default: derived from the name.': 'Slug du terme. Par défaut : tiré du nom.',
    'Id of the parent category.': 'Identifiant de la catégorie parente.',
    'Id of the category.': 'Identifiant de la catégorie.',
    'Id of the tag.': 'Identifiant de l’étiquette.',
    'Only what lies behind this position: next of an earlier answer. The word end for what is to come.':
      'Seulement ce qui suit cette position : next d’une réponse antérieure. Le mot end pour ce qui est à venir.',
    'Only these kinds (event, venue, organizer, category, tag) or sorts of facts (EventRescheduled).':
      'Seulement ces genres (event, venue, organizer, category, tag) ou types de faits (EventRescheduled).',
    'Changes in one answer; more than 100 count as 100.':
      'Modifications par réponse ; au-delà de 100, c’est 100 qui compte.',
    'Seconds to wait while there is nothing; more than 60 count as 60.':
      'Secondes à attendre tant qu’il n’y a rien ; au-delà de 60, c’est 60 qui compte.',
    'The revision to look as at again, from 0.': 'La révision à rétablir, à partir de 0.',
    'A calendar of events, venues and organizers. HEAD answers like GET without a body; OPTIONS tells the methods and parameters of a path. Trailing slashes do not matter. Parameters of writes may stand in the query, too. Errors have one form: code for programs, message for people.':
      'Un calendrier d’événements, de lieux et d’organisateurs. HEAD répond comme GET, sans corps ; OPTIONS indique les méthodes et les paramètres d’un chemin. Les barres obliques finales sont sans importance. Les paramètres d’écriture peuvent aussi figurer dans l’adresse. Les erreurs ont une seule forme : code pour les programmes, message pour les personnes.',
    'A smaller rendition of an image.': 'Une version réduite d’une image.',
    'Width in pixels.': 'Largeur en pixels.',
    'Height in pixels.': 'Hauteur en pixels.',
    'Media type, such as image/jpeg.': 'Type de média, par exemple image/jpeg.',
    'Size in bytes.': 'Taille en octets.',
    'Address of the rendition.': 'Adresse de la version.',
    'What the cost is made of.': 'De quoi le prix est fait.',
    'Sign of the currency; empty when none was given.': 'Symbole de la monnaie ; vide si aucun n’a été indiqué.',
    'Always empty.': 'Toujours vide.',
    'prefix or postfix; empty when no sign was given.': 'prefix ou postfix ; vide si aucun symbole n’a été indiqué.',
    'All amounts, lowest first.': 'Tous les montants, du plus bas au plus élevé.',
    'A number, or what was said instead of one.': 'Un nombre, ou ce qui a été indiqué à sa place.',
    'A category or a tag.': 'Une catégorie ou une étiquette.',
    'Id.': 'Identifiant.',
    'Number of published events that carry it.': 'Nombre d’événements publiés qui le portent.',
    'Description; empty when there is none.': 'Description ; vide s’il n’y en a pas.',
    'Name, encoded for HTML.': 'Nom, encodé pour HTML.',
    'Slug.': 'Slug.',
    'tribe_events_cat for categories, post_tag for tags.':
      'tribe_events_cat pour les catégories, post_tag pour les étiquettes.',
    'Id of the parent, 0 for none; only of categories.':
      'Identifiant du parent, 0 pour aucun ; seulement pour les catégories.',
    'Public page.': 'Page publique.',
    'Where it lies in this API.': 'Emplacement dans cette API.',
    'The term itself.': 'Le terme lui-même.',
    'The list of all.': 'La liste de tous.',
    'The parent, when there is one.': 'Le parent, s’il y en a un.',
    'A picture, by its address.': 'Une image, avec son adresse.',
    'Address of the picture.': 'Adresse de l’image.',
    'Id, which may be sent as image from now on.': 'Identifiant, qui peut désormais être envoyé comme image.',
    'Ending of the file name without its dot; empty when there is none.':
      'Extension du nom de fichier, sans le point ; vide s’il n’y en a pas.',
    'Width in pixels, when it is known.': 'Largeur en pixels, si elle est connue.',
    'Height in pixels, when it is known.': 'Hauteur en pixels, si elle est connue.',
    'Size in bytes, when it is known.': 'Taille en octets, si elle est connue.',
    'Smaller renditions by their names, when there are any.': 'Versions réduites par leur nom, s’il y en a.',
    'One rendition.': 'Une version.',
    'A date and time, taken apart.': 'Une date et une heure, décomposées.',
    'Year, four digits.': 'Année, quatre chiffres.',
    'Month, two digits.': 'Mois, deux chiffres.',
    'Day of the month, two digits.': 'Jour du mois, deux chiffres.',
    'Hour from 00 to 23.': 'Heure de 00 à 23.',
    'Minutes, two digits.': 'Minutes, deux chiffres.',
    'Seconds, two digits.': 'Secondes, deux chiffres.',
    'A calendar event. What is under a password is empty or null until the password is presented.':
      'Un événement du calendrier. Ce qu’un mot de passe protège est vide ou null tant que celui-ci n’est pas présenté.',
    'Id that no other site uses: host and path of the site, and the id.':
      'Identifiant qu’aucun autre site n’utilise : hôte et chemin du site, et l’identifiant.',
    'All global ids, beginning with the present one.': 'Tous les identifiants globaux, en commençant par l’actuel.',
    'A global id.': 'Un identifiant global.',
    'Id of the user who is the author.': 'Identifiant du compte de l’auteur.',
    'Status. Only what has the status publish is public.': 'Statut. Seul ce qui a le statut publish est public.',
    'Publication, on the clock of the site.': 'Publication, à l’heure du site.',
    'Publication in UTC; zeros while no date is fixed.':
      'Publication en UTC ; des zéros tant qu’aucune date n’est fixée.',
    'Last change, on the clock of the site.': 'Dernière modification, à l’heure du site.',
    'Last change in UTC; zeros while no date is fixed and nothing was changed.':
      'Dernière modification en UTC ; des zéros tant qu’aucune date n’est fixée et que rien n’a été modifié.',
    'Address of the event in this API.': 'Adresse de l’événement dans cette API.',
    'Title, ready to be shown as HTML.': 'Titre, prêt à être affiché en HTML.',
    'Description as HTML; empty when there is none.': 'Description en HTML ; vide s’il n’y en a pas.',
    'Short description as HTML; empty when there is none.': 'Brève description en HTML ; vide s’il n’y en a pas.',
    'Slug; empty as long as a draft has none.': 'Slug ; vide tant qu’un brouillon n’en a pas.',
    'The picture, or false when there is none.': 'L’image, ou false s’il n’y en a pas.',
    'Start, on the clock of its own zone.': 'Début, à l’heure de son propre fuseau.',
    'The same, taken apart.': 'La même chose, décomposée.',
    'End, on the clock of its own zone.': 'Fin, à l’heure de son propre fuseau.',
    'Start in UTC.': 'Début en UTC.',
    'End in UTC.': 'Fin en UTC.',
    'Its time zone.': 'Son fuseau horaire.',
    'Abbreviation of the zone as it is valid at the start.': 'Abréviation du fuseau tel qu’il vaut au début.',
    'Cost as it is shown; empty when none was given.': 'Prix tel qu’il est affiché ; vide si aucun n’a été indiqué.',
    'Its own web site, escaped for HTML; the public page when it never had one.':
      'Son propre site web, encodé pour HTML ; la page publique s’il n’en a jamais eu.',
    'Its categories, by name.': 'Ses catégories, par nom.',
    'Its tags, by name.': 'Ses étiquettes, par nom.',
    'The venue itself when there is one; a list when there are none or several.':
      'Le lieu lui-même s’il y en a un ; une liste s’il n’y en a aucun ou plusieurs.',
    'Its organizers, in their order.': 'Ses organisateurs, dans leur ordre.',
    'Only in single reads.': 'Seulement à la lecture d’un seul objet.',
    'A venue. What has no value is left out; what is under a password is empty or null until the password is presented.':
      'Un lieu. Ce qui n’a pas de valeur est omis ; ce qu’un mot de passe protège est vide ou null tant que celui-ci n’est pas présenté.',
    'Name, ready to be shown as HTML.': 'Nom, prêt à être affiché en HTML.',
    'Description as HTML.': 'Description en HTML.',
    'The picture; false when it is under a password.': 'L’image ; false si un mot de passe la protège.',
    'Its own web site.': 'Son propre site web.',
    'State or province.': 'État ou province.',
    'Latitude in degrees.': 'Latitude en degrés.',
    'Longitude in degrees.': 'Longitude en degrés.',
    'An organizer. What has no value is left out; what is under a password is empty until the password is presented.':
      'Un organisateur. Ce qui n’a pas de valeur est omis ; ce qu’un mot de passe protège est vide tant que celui-ci n’est pas présenté.',
    'A category or a tag inside an event.': 'Une catégorie ou une étiquette au sein d’un événement.',
    'The same as id.': 'Identique à id.',
    'Id of the parent category; 0 for none.': 'Identifiant de la catégorie parente ; 0 pour aucune.',
    'What context=embed leaves of a category or tag.':
      'Ce que context=embed laisse d’une catégorie ou d’une étiquette.',
    'The event in the words of schema.org.': 'L’événement dans les termes de schema.org.',
    'Address of the vocabulary.': 'Adresse du vocabulaire.',
    'Kind of object.': 'Genre d’objet.',
    'Name as plain text.': 'Nom en texte brut.',
    'Short description, escaped for HTML.': 'Brève description, encodée pour HTML.',
    'How people attend.': 'Mode de participation.',
    'Whether it takes place as planned.': 'S’il a lieu comme prévu.',
    'Start with the offset of its zone.': 'Début, avec le décalage de son fuseau.',
    'End with the offset of its zone.': 'Fin, avec le décalage de son fuseau.',
    'The venue, when there is one.': 'Le lieu, s’il y en a un.',
    'The first organizer, when there is one.': 'Le premier organisateur, s’il y en a un.',
    'What it costs.': 'Ce qu’il coûte.',
    'Amount, or lowest and highest amount.': 'Montant, ou montant le plus bas et montant le plus élevé.',
    'Code of the currency.': 'Code de la monnaie.',
    'Always primary.': 'Toujours primary.',
    'Always inStock.': 'Toujours inStock.',
    'Publication.': 'Date de publication.',
    'Always Organization.': 'Toujours Organization.',
    'The venue in the words of schema.org.': 'Le lieu dans les termes de schema.org.',
    'Postal address; only what is known.': 'Adresse postale ; seulement ce qui est connu.',
    'Where it lies.': 'Où il se trouve.',
    'Web site.': 'Site web.',
    'The organizer in the words of schema.org.': 'L’organisateur dans les termes de schema.org.',
    'Who did it.': 'Qui l’a fait.',
    'Id of the user; null when it was no user.': 'Identifiant du compte ; null si ce n’était pas un compte.',
    'Name at that time.': 'Nom à ce moment-là.',
    'A field that changed.': 'Un champ qui a changé.',
    'Name of the field.': 'Nom du champ.',
    'Value before; null where there was none.': 'Valeur d’avant ; null s’il n’y en avait pas.',
    'Value after; null where there is none.': 'Valeur d’après ; null s’il n’y en a pas.',
    'One revision of a thing.': 'Une révision d’un objet.',
    'Revision that it led to, from 0.': 'Révision à laquelle cela a mené, à partir de 0.',
    'When it was recorded, in UTC.': 'Quand cela a été enregistré, en UTC.',
    'The same on the clock of the site.': 'La même chose à l’heure du site.',
    'Why, if that was said.': 'Pourquoi, si cela a été dit.',
    'Sort of fact. It is the same in every language.': 'Type de fait. Il est le même dans toutes les langues.',
    'What happened, as a sentence.': 'Ce qui s’est passé, en une phrase.',
    'Shared by everything that one request or one import did.':
      'Commun à tout ce qu’une même requête ou un même import a fait.',
    'Which fields changed, and how.': 'Quels champs ont changé, et comment.',
    'One field.': 'Un champ.',
    'One change of a thing.': 'Une modification d’un objet.',
    'Place in the log.': 'Place dans le journal.',
    'Kind of the thing.': 'Genre de l’objet.',
    'Id of the thing.': 'Identifiant de l’objet.',
    'Address of the thing in this API.': 'Adresse de l’objet dans cette API.',
    'Every route with its methods and parameters.': 'Toutes les routes avec leurs méthodes et leurs paramètres.',
    'Namespace of the API.': 'Espace de noms de l’API.',
    'The routes by their patterns.': 'Les routes par leur motif.',
    'Links.': 'Liens.',
    'The site.': 'Le site.',
    'A link.': 'Un lien.',
    'Where it leads.': 'Où il mène.',
    'A route of the index.': 'Une route de l’index.',
    'All methods of the route.': 'Toutes les méthodes de la route.',
    'A method.': 'Une méthode.',
    'What can be done here.': 'Ce qui peut être fait ici.',
    'Methods that take the same parameters.': 'Méthodes qui prennent les mêmes paramètres.',
    'The methods.': 'Les méthodes.',
    'The parameters by name; an empty list when there are none.':
      'Les paramètres par nom ; une liste vide s’il n’y en a pas.',
    'The parameters by name.': 'Les paramètres par nom.',
    'A parameter.': 'Un paramètre.',
    'Whether it must be sent.': 'S’il doit être envoyé.',
    'What stands for it when it is not sent.': 'Ce qui en tient lieu s’il n’est pas envoyé.',
    'Type of the value.': 'Type de la valeur.',
    'Format of the value.': 'Format de la valeur.',
    'Type of the members of a list.': 'Type des membres d’une liste.',
    'What it is for.': 'À quoi il sert.',
    'No parameters.': 'Aucun paramètre.',
    'The route itself.': 'La route elle-même.',
    'An OpenAPI document.': 'Un document OpenAPI.',
    'Version of OpenAPI.': 'Version d’OpenAPI.',
    'What the document is about.': 'De quoi traite le document.',
    'Any value.': 'Valeur quelconque.',
    'Schemas, parameters and headers that operations share.':
      'Schémas, paramètres et en-têtes communs à plusieurs opérations.',
    'Where the API lies.': 'Où se trouve l’API.',
    'A server.': 'Un serveur.',
    'The paths with their operations.': 'Les chemins avec leurs opérations.',
    'Groups of operations.': 'Groupes d’opérations.',
    'A group.': 'Un groupe.',
    'An existing venue by its id, or a new one.': 'Un lieu existant par son identifiant, ou un nouveau.',
    'Id of an existing one; nothing else is then read.':
      'Identifiant d’un objet existant ; rien d’autre n’est alors lu.',
    'An existing organizer by its id, or a new one.': 'Un organisateur existant par son identifiant, ou un nouveau.',
    'Why it is changed; the history tells it.': 'Pourquoi la modification est faite ; l’historique l’indique.',
    'The new slug, if it is to have another one.': 'Le nouveau slug, s’il doit changer.',
    'An error.': 'Une erreur.',
    'What went wrong, for programs.': 'Ce qui a échoué, pour les programmes.',
    'What went wrong and what to do about it, for people.':
      'Ce qui a échoué et comment y remédier, pour les personnes.',
    'Details.': 'Détails.',
    'The HTTP status.': 'Le statut HTTP.',
    'Number of the fault.': 'Numéro de l’erreur.',
    'What is wrong with it.': 'Ce qui ne va pas.',
    'Names of what is missing.': 'Noms de ce qui manque.',
    'The refused parameters by name.': 'Les paramètres refusés, par nom.',
    'Why it was refused.': 'Pourquoi il a été refusé.',
    'More about values of the wrong type.': 'Précisions sur les valeurs du mauvais type.',
    'Nothing more.': 'Rien de plus.',
    'A value of another type than declared.': 'Une valeur d’un autre type que celui déclaré.',
    'Always the same.': 'Toujours la même valeur.',
    'What it is about.': 'De quoi il s’agit.',
    'Name of the parameter.': 'Nom du paramètre.',
    'Id of the term that exists.': 'Identifiant du terme existant.',
    'The same id, twice.': 'Le même identifiant, deux fois.',
    'The revision asked for.': 'La révision demandée.',
    'The last one that there is.': 'La dernière qui existe.',
    'Everything that stands in the way.': 'Tout ce qui s’y oppose.',
    'Something that stands in the way.': 'Quelque chose qui s’y oppose.',
    'The field that cannot be had back.': 'Le champ qui ne peut pas être rétabli.',
    'What has it, or what is no longer there.': 'Ce qui l’occupe, ou ce qui n’existe plus.',
    'The slug that is taken.': 'Le slug déjà pris.',
    'The obstacle.': 'L’obstacle.',
    'The instant asked for.': 'L’instant demandé.',
    'The first instant of which something is known.': 'Le premier instant dont quelque chose est connu.',
    'Only these members of the answer, separated by commas; dots lead into objects.':
      'Seulement ces membres de la réponse, séparés par des virgules ; les points mènent à l’intérieur des objets.',
    'Answer 200 with body, status and headers inside the body.':
      'Répondre 200 et placer le corps, le statut et les en-têtes dans le corps.',
    'Language of the texts of the answer, such as de. It counts more than Accept-Language.':
      'Langue des textes de la réponse, par exemple fr. Elle l’emporte sur Accept-Language.',
    'Languages that the reader knows.': 'Langues que le lecteur connaît.',
    'The method that this request stands for.': 'La méthode que cette requête représente.',
    'The same as _method, which counts more.': 'Comme _method, qui l’emporte.',
    'Password of what is protected by one; what has it is shown in full.':
      'Mot de passe ; ce qu’il protège est montré en entier.',
    'edit: whoever may edit the event needs no password.':
      'edit : aucun mot de passe pour quiconque peut modifier l’événement.',
    'embed: only id, name, slug, taxonomy and links.': 'embed : seulement id, name, slug, taxonomy et les liens.',
    'Write only if the thing still has this ETag.': 'N’écrire que si l’objet a encore cet ETag.',
    'Answer 304 when the ETag is still this one.': 'Répondre 304 si l’ETag est encore celui-ci.',
    'Any text. Sent again with the same key, nothing is created a second time.':
      'Texte quelconque. Renvoyée avec la même clé, une requête ne crée rien une seconde fois.',
    'Why it is changed, percent-encoded; the history tells it. The member _reason says the same.':
      'Pourquoi la modification est faite, en encodage-pourcent ; l’historique l’indique. Le membre _reason dit la même chose.',
    'Position of an earlier write: the answer shows at least that.':
      'Position d’une écriture antérieure : la réponse montre au moins celle-ci.',
    'Where a stream of changes goes on.': 'Où un flux de modifications reprend.',
    'Names this request; quote it when something went wrong.':
      'Désigne cette requête ; à indiquer lorsque quelque chose a échoué.',
    'Methods that the caller may use here.': 'Méthodes que l’appelant peut utiliser ici.',
    'Version of the answer, for If-None-Match; of one thing also for If-Match.':
      'Version de la réponse, pour If-None-Match ; pour un seul objet, aussi pour If-Match.',
    'Number of items on all pages.': 'Nombre d’éléments sur toutes les pages.',
    'Number of pages.': 'Nombre de pages.',
    'The same as X-TEC-Total.': 'Identique à X-TEC-Total.',
    'The same as X-TEC-TotalPages.': 'Identique à X-TEC-TotalPages.',
    'Address of what was created.': 'Adresse de ce qui a été créé.',
    'Place in the log; send it with a read to see at least this write.':
      'Place dans le journal ; l’envoyer avec une lecture pour voir au moins cette écriture.',
    'lagging: reads do not show this yet.': 'lagging : les lectures ne le montrent pas encore.',
    'How dates were read that could have been meant otherwise, by name.':
      'Comment ont été lues, par leur nom, les dates qui pouvaient s’entendre autrement.',
    'Place in the log up to which the answer shows it.': "Place dans le journal jusqu'à laquelle la réponse le montre.",
    'How many events the answer does not show yet.': "Combien d'évènements la réponse ne montre pas encore.",
    'Seconds until it makes sense to try again.': 'Secondes après lesquelles un nouvel essai a un sens.',
    'How to sign in.': 'Comment se connecter.',
    'What of the request decides about the answer.': 'Ce qui, dans la requête, détermine la réponse.',
    'Who may keep the answer, and for how long.': 'Qui peut conserver la réponse, et combien de temps.',
    'Language of the texts of the answer.': 'Langue des textes de la réponse.',
    'How the body is compressed.': 'Comment le corps est compressé.',
    'Login name or e-mail address, and a token.': 'Nom de connexion ou adresse e-mail, et un jeton.',
    'All routes with their parameters': 'Toutes les routes avec leurs paramètres',
    'What was asked for.': 'Ce qui a été demandé.',
    'This document': 'Ce document',
    'The client has this answer already.': 'Le client a déjà cette réponse.',
    'List events': 'Lister les événements',
    'A page of the list.': 'Une page de la liste.',
    'A page of events, in the order of their start.': 'Une page d’événements, dans l’ordre de leur début.',
    'The items of this page.': 'Les éléments de cette page.',
    'Address of this list with its effective arguments.': 'Adresse de cette liste avec ses arguments effectifs.',
    'Address of the next page, when there is one.': 'Adresse de la page suivante, s’il y en a une.',
    'Address of the page before, when there is one.': 'Adresse de la page précédente, s’il y en a une.',
    'Create an event': 'Créer un événement',
    'Venues, organizers, categories and tags may be created along with it. Without the right to publish it waits for review.':
      'Des lieux, organisateurs, catégories et étiquettes peuvent être créés en même temps. Sans le droit de publier, l’événement attend une relecture.',
    'It has been created, or existed already.': 'Création faite, ou objet déjà existant.',
    'Read an event': 'Lire un événement',
    'Move an event to the trash': 'Mettre un événement à la corbeille',
    'It is in the trash.': 'Mis à la corbeille.',
    'Change an event': 'Modifier un événement',
    'Members that are not sent keep their values. POST, PUT and PATCH do the same.':
      'Les membres non envoyés gardent leur valeur. POST, PUT et PATCH font la même chose.',
    'It has been changed.': 'Modification faite.',
    'Read an event by its slug': 'Lire un événement par son slug',
    'Move an event to the trash by its slug': 'Mettre un événement à la corbeille par son slug',
    'Change an event by its slug': 'Modifier un événement par son slug',
    'List venues': 'Lister les lieux',
    'A page of venues, the newest first.': 'Une page de lieux, les plus récents d’abord.',
    'Create a venue': 'Créer un lieu',
    'A venue of the same name and description is answered instead, if there is one. Without the right to publish it waits for review.':
      'S’il existe un lieu de même nom et de même description, c’est lui qui est renvoyé. Sans le droit de publier, le lieu attend une relecture.',
    'Read a venue': 'Lire un lieu',
    'Move a venue to the trash; its events have it no longer':
      'Mettre un lieu à la corbeille ; ses événements ne l’ont plus',
    'Change a venue': 'Modifier un lieu',
    'Read a venue by its slug': 'Lire un lieu par son slug',
    'Move a venue to the trash by its slug; its events have it no longer':
      'Mettre un lieu à la corbeille par son slug ; ses événements ne l’ont plus',
    'Change a venue by its slug': 'Modifier un lieu par son slug',
    'List organizers': 'Lister les organisateurs',
    'A page of organizers, the newest first.': 'Une page d’organisateurs, les plus récents d’abord.',
    'Create an organizer': 'Créer un organisateur',
    'An organizer of the same name and description is answered instead, if there is one. Without the right to publish it waits for review.':
      'S’il existe un organisateur de même nom et de même description, c’est lui qui est renvoyé. Sans le droit de publier, l’organisateur attend une relecture.',
    'Read an organizer': 'Lire un organisateur',
    'Move an organizer to the trash; its events have it no longer':
      'Mettre un organisateur à la corbeille ; ses événements ne l’ont plus',
    'Change an organizer': 'Modifier un organisateur',
    'Read an organizer by its slug': 'Lire un organisateur par son slug',
    'Move an organizer to the trash by its slug; its events have it no longer':
      'Mettre un organisateur à la corbeille par son slug ; ses événements ne l’ont plus',
    'Change an organizer by its slug': 'Modifier un organisateur par son slug',
    'List categories': 'Lister les catégories',
    'A page of categories.': 'Une page de catégories.',
    'Create a category': 'Créer une catégorie',
    'Read a category': 'Lire une catégorie',
    'The term; less of it with context=embed.': 'Le terme ; réduit avec context=embed.',
    'Change a category': 'Modifier une catégorie',
    'Delete a category; its children move up, its events have it no longer':
      'Supprimer une catégorie ; ses enfants remontent, ses événements ne l’ont plus',
    'It is gone; this is what it was.': 'Suppression faite ; voici ce que c’était.',
    'List tags': 'Lister les étiquettes',
    'A page of tags.': 'Une page d’étiquettes.',
    'Create a tag': 'Créer une étiquette',
    'Read a tag': 'Lire une étiquette',
    'Change a tag': 'Modifier une étiquette',
    'Delete a tag; its events have it no longer': 'Supprimer une étiquette ; ses événements ne l’ont plus',
    'What happened to an event': 'Ce qui est arrivé à un événement',
    'Revisions, the newest first.': 'Révisions, les plus récentes d’abord.',
    'What happened to a venue': 'Ce qui est arrivé à un lieu',
    'What happened to an organizer': 'Ce qui est arrivé à un organisateur',
    'What happened to a category': 'Ce qui est arrivé à une catégorie',
    'What happened to a tag': 'Ce qui est arrivé à une étiquette',
    'What happens, as it happens': 'Ce qui se passe, au moment où cela se passe',
    'Page by page, waiting for the next change, or as a stream of server-sent events for those who accept text/event-stream. Everybody hears of what they may read the history of.':
      'Page par page, en attendant la modification suivante, ou comme flux d’événements envoyés par le serveur si text/event-stream est accepté. Chacun apprend ce dont il peut lire l’historique.',
    'Changes, oldest first.': 'Modifications, les plus anciennes d’abord.',
    'The changes.': 'Les modifications.',
    'Everything up to here has been looked at; send it as after to go on.':
      'Tout a été examiné jusqu’ici ; l’envoyer comme after pour continuer.',
    'Whether the log goes on behind next.': 'Si le journal continue après next.',
    'Events named change; their data is a ChangeEntry, their id its position.':
      'Événements nommés change ; leurs données sont un ChangeEntry, leur identifiant sa position.',
    'Make an event look as it did at a revision': 'Ramener un événement à une révision',
    'What it was in between stays in its history.': 'Ce qu’il y a eu entre-temps reste dans l’historique.',
    'Make a venue look as it did at a revision': 'Ramener un lieu à une révision',
    'Make an organizer look as it did at a revision': 'Ramener un organisateur à une révision',
    'Make a category look as it did at a revision': 'Ramener une catégorie à une révision',
    'Make a tag look as it did at a revision': 'Ramener une étiquette à une révision',
    'Events as an iCalendar, to subscribe to': 'Les événements au format iCalendar, pour s’y abonner',
    'Those that the list finds by the same filters, on one page: the first 10,000 in its order.':
      'Ceux que la liste trouve avec les mêmes filtres, sur une page : les 10 000 premiers dans son ordre.',
    'An event as an iCalendar': 'Un événement au format iCalendar',
    'One event, for whoever may read it.': 'Un seul événement, pour quiconque peut le lire.',
    'The newest events as RSS': 'Les événements les plus récents en RSS',
    'The 50 events that were published last, the newest first.':
      'Les 50 derniers événements publiés, les plus récents d’abord.',
    'The newest events as Atom': 'Les événements les plus récents en Atom',
    'Words that must occur in the login, the name or the e-mail address.':
      'Mots qui doivent figurer dans le nom de connexion, le nom ou l’adresse e-mail.',
    'Only users with this role.': 'Seulement les comptes qui ont ce rôle.',
    'What the user signs in with, at most 60 characters without a colon.':
      'Nom de connexion, 60 caractères au plus, sans deux-points.',
    'One of administrator, editor, author, contributor, subscriber.':
      'L’une des valeurs administrator, editor, author, contributor, subscriber.',
    'Name of the user as shown to others.': 'Nom du compte tel qu’il est montré aux autres.',
    'E-mail address, which signs in like the login; empty for none.':
      'Adresse e-mail, qui permet de se connecter comme le nom de connexion ; vide pour aucune.',
    'What the token is for.': 'À quoi sert le jeton.',
    'Id of the user.': 'Identifiant du compte.',
    'A token by itself, or one of the single sign-on where there is one.':
      'Un jeton seul, ou un jeton de l’authentification unique s’il y en a une.',
    'List users': 'Lister les comptes',
    'A page of users, by id.': 'Une page de comptes, par identifiant.',
    'A user.': 'Un compte.',
    'What the user signs in with.': 'Nom de connexion.',
    'Name as shown to others.': 'Nom tel qu’il est montré aux autres.',
    'E-mail address; empty for none.': 'Adresse e-mail ; vide s’il n’y en a pas.',
    'What the user may do.': 'Ce que le compte a le droit de faire.',
    'Tokens that are good to sign in with.': 'Jetons qui permettent de se connecter.',
    'A token as it is listed; its text is stored nowhere.':
      'Un jeton tel qu’il est listé ; son texte n’est conservé nulle part.',
    'Number of the token among those of its user.': 'Numéro du jeton parmi ceux de son compte.',
    'What it was issued for.': 'Pour quoi il a été délivré.',
    'When it was issued, in UTC.': 'Quand il a été délivré, en UTC.',
    'Address of the user in this API.': 'Adresse du compte dans cette API.',
    'Who the user is to the single sign-on.': 'Qui est le compte pour l’authentification unique.',
    'Issuer of the tokens.': 'Émetteur des jetons.',
    "The issuer's name for the user.": 'Le nom du compte chez l’émetteur.',
    'Add a user with a first token': 'Ajouter un compte avec un premier jeton',
    'The token stands in the answer and nowhere else. A request that is repeated with its key tells it no more.':
      'Le jeton figure dans la réponse et nulle part ailleurs. Une requête répétée avec sa clé ne le donne plus.',
    'The user, with the token.': 'Le compte, avec le jeton.',
    'The token, told this once. Null when the request was repeated: then revoke it and issue another.':
      'Le jeton, donné cette seule fois. Null si la requête a été répétée : le révoquer alors et en délivrer un autre.',
    'Read the own profile': 'Lire son propre profil',
    'Read a user': 'Lire un compte',
    'Change role, name or e-mail address of a user': 'Modifier le rôle, le nom ou l’adresse e-mail d’un compte',
    'Remove a user; names are free again, the id is not':
      'Retirer un compte ; ses noms redeviennent libres, pas son identifiant',
    'List the tokens of a user': 'Lister les jetons d’un compte',
    'The tokens.': 'Les jetons.',
    'Those that are good to sign in with.': 'Ceux qui permettent de se connecter.',
    'Issue a token to a user': 'Délivrer un jeton à un compte',
    'The token, with its text.': 'Le jeton, avec son texte.',
    'Revoke a token of a user': 'Révoquer un jeton d’un compte',
    'What happened to a user': 'Ce qui est arrivé à un compte',
    'Id of the token.': 'Identifiant du jeton.',
    'Names of what somebody else has.': 'Noms de ce que quelqu’un d’autre a déjà.',
  },
};
