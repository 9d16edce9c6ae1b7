import { formatsOf } from "../formats.ts";
import type { FormTexts } from "../site/translation.ts";

const { number, counted } = formatsOf("fr");

const minutes = (count: number) => counted(count, { one: "# minute", other: "# minutes" });

export const FRENCH_FORMS: FormTexts = {
  contact: {
    title: "Contact",
    writeToEditors: "Écrire à la rédaction",
    writeIntro:
      "Ce formulaire se remplit à la main, dans un navigateur\u00a0; une personne le lit et répond par courriel.",
    alsoByMail: (address) => ["Vous pouvez aussi écrire à ", address, "."],
    whatWeKeep: "Ce que nous en conservons",
    askForKey: "Demander une clé",
    askIntro: (claim) => [
      "Chaque page se lit sans clé. Le service MCP pour agents de recherche en demande une, délivrée par l’administration. Ce formulaire se remplit à la main, dans un navigateur, et une personne décide. Vous avez déjà votre code de retrait\u00a0? ",
      claim,
      ".",
    ],
    name: "Votre nom",
    email: "Votre adresse électronique",
    emailHint: "La réponse y sera envoyée.",
    message: "Votre message",
    about: "Page concernée",
    aboutHint: "Son adresse, si votre message concerne une page.",
    sendMessage: "Envoyer le message",
    organisation: "Votre organisation",
    task: "À quoi servira la clé\u00a0?",
    taskHint:
      "Ce que votre agent ou programme doit faire, pour qui, et à peu près combien de fois il interrogera le site.",
    data: "De quels contenus a-t-il besoin\u00a0?",
    dataHint: "Thèmes, auteurs, œuvres, ou l’ensemble.",
    access: "Que doit permettre la clé\u00a0?",
    read: "Lecture\u00a0: chercher et lire ce qui est publié",
    write: "Lecture et écriture\u00a0: pour les personnes qui travaillent à ce site",
    sendRequest: "Envoyer la demande",
    messageSent: "Merci de votre message",
    messageSentText:
      "Il est arrivé. La rédaction répond par courriel à l’adresse que vous avez donnée.",
    requestSent: "Merci de votre demande",
    requestSentText: "Elle est arrivée. Voici la suite\u00a0:",
    requestIsRead: "Une personne lit votre demande et décide. Cela peut prendre quelques jours.",
    requestIsAnswered:
      "Vous l’apprenez par courriel, à l’adresse que vous avez donnée. Si la clé est accordée, vous recevez un code de retrait.",
    requestIsClaimed: (claim) => [
      "Avec ce code, vous retirez la clé dans les sept jours\u00a0: ",
      claim,
      ".",
    ],
    homePage: "Page d’accueil",
  },

  claim: {
    title: "Retirer votre clé",
    enterCode: "Saisissez votre code de retrait",
    code: "Code de retrait",
    codeHint: "Il commence par cplc_ et vous a été remis par l’administration.",
    showKey: "Afficher ma clé",
    intro: (askAgain) => [
      "Une demande accordée s’accompagne d’un code de retrait. Saisissez-le ici pour obtenir votre clé\u00a0: le code ne sert qu’une fois, et la clé n’est montrée qu’une fois. Préparez un endroit sûr où la garder. Code perdu ou expiré\u00a0? ",
      askAgain,
      ".",
    ],
    askAgain: "Demandez-en un autre",
    yourKey: "Votre clé",
    shownOnce:
      "Cette page montre la clé une seule fois, et personne ne pourra la montrer de nouveau. Copiez-la maintenant et gardez-la avec vos mots de passe.",
    allows: (what) => `Elle permet\u00a0: ${what.join("\u00a0; ")}.`,
    rate: (perMinute) =>
      counted(perMinute, { one: "# requête par minute", other: "# requêtes par minute" }),
    noEnd: "sans échéance",
    until: (day) => `jusqu’au ${day}`,
    onlyFrom: (networks) => `depuis ${networks.join(", ")} seulement`,
    howToUse: "Comment l’utiliser",
    asHeader:
      "Envoyez-la en en-tête de chaque requête, et ne l’écrivez jamais dans une adresse\u00a0:",
    service: (address) =>
      `Le service MCP se trouve à ${address} (streamable HTTP). Beaucoup de clients acceptent une configuration comme celle-ci\u00a0:`,
    interface: (address, root) =>
      `L’interface d’administration se trouve à ${address}\u00a0; ${root} dit ce que la clé permet.`,
    ifLost: (contact) =>
      `Si la clé se perd ou tombe en de mauvaises mains, [écrivez-nous](${contact})\u00a0: nous la remplaçons.`,
  },

  form: {
    putRight: "Veuillez corriger ceci",
    notSent: (title) => `Pas encore envoyé – ${title}`,
    optional: "facultatif",
    leaveEmpty: "Laissez ce champ vide",
    isAt: (address) => ["Le formulaire se trouve à ", address, "\u00a0:"],
  },

  errors: {
    400: "La demande n’a pas été comprise.",
    403: "Cela n’est pas permis ici.",
    404: "Il n’y a rien à cette adresse.",
    405: "Cette adresse n’accepte pas cela.",
    413: "C’est trop volumineux.",
    415: "Ce type de données n’est pas accepté ici.",
    429: "Trop de demandes. Attendez un instant, puis réessayez.",
    500: "Une erreur s’est produite chez nous. Réessayez plus tard.",
    503: "Le site est très sollicité ou en maintenance. Réessayez dans un instant.",
    homePage: "Page d’accueil",
    request: "Demande",
  },

  faults: {
    nameMissing: "Indiquez votre nom",
    emailMissing: "Indiquez une adresse électronique",
    emailWrong: "Indiquez une adresse électronique, comme nom@example.org",
    messageMissing: "Écrivez votre message",
    taskMissing: "Dites-nous à quoi servira la clé",
    accessMissing: "Choisissez lecture, ou lecture et écriture",
    codeMissing: "Saisissez votre code de retrait",
    codeWrong: "Ce code de retrait n’est pas valable, a déjà servi ou a expiré",
    severalLines: "Écrivez cela sur une seule ligne",
    controlCharacters: "Retirez les caractères de contrôle\u00a0: ils ne peuvent pas être affichés",
    tooLong: (charactersMax) => `${number(charactersMax)} caractères au plus`,
    other: "Écrivez cela autrement\u00a0: tel quel, c’est inutilisable",
    formTampered:
      "Le formulaire ne vient pas de cette page telle qu’elle est\u00a0: relisez-le et renvoyez-le",
    formOld: "Ce formulaire a été ouvert il y a plus d’un jour\u00a0: relisez-le et renvoyez-le",
    formTooFast:
      "C’était plus rapide qu’une personne ne remplit un formulaire\u00a0: relisez-le et renvoyez-le",
    notSaved:
      "Nous ne pouvons pas enregistrer votre envoi pour le moment. Il est resté ci-dessous tel que vous l’avez écrit\u00a0: renvoyez-le dans une minute, ou écrivez-nous par courriel",
    codeNotChecked:
      "Nous ne pouvons pas vérifier votre code pour le moment. Il reste valable\u00a0: saisissez-le de nouveau dans une minute",
    sentTooOften: (times, left) =>
      `Votre réseau a envoyé ce formulaire ${number(times)} fois en une heure\u00a0: renvoyez-le dans ${minutes(left)}, ou écrivez-nous par courriel`,
    triedTooOften: (times, left) =>
      `Votre réseau a essayé ${number(times)} codes en une heure\u00a0: réessayez dans ${minutes(left)}`,
  },
};
