import { formatsOf } from "../formats.ts";
import type { FormTexts } from "../site/translation.ts";

const { number, counted } = formatsOf("es");

const minutes = (count: number) => counted(count, { one: "# minuto", other: "# minutos" });

export const SPANISH_FORMS: FormTexts = {
  contact: {
    title: "Contacto",
    writeToEditors: "Escriba a la redacción",
    writeIntro:
      "Este formulario lo rellena una persona en un navegador; una persona lo lee y responde por correo electrónico.",
    alsoByMail: (address) => ["También puede escribir a ", address, "."],
    whatWeKeep: "Lo que conservamos",
    askForKey: "Solicitar una clave",
    askIntro: (claim) => [
      "Todas las páginas se leen sin clave. El servicio MCP para agentes de investigación necesita una, que emite la administración. Este formulario lo rellena una persona en un navegador, y una persona decide. ¿Ya tiene su código de recogida? ",
      claim,
      ".",
    ],
    name: "Su nombre",
    email: "Su correo electrónico",
    emailHint: "Ahí se envía la respuesta.",
    message: "Su mensaje",
    about: "Página de que se trata",
    aboutHint: "Su dirección, si el mensaje trata de una página.",
    sendMessage: "Enviar el mensaje",
    organisation: "Su organización",
    task: "¿Para qué es la clave?",
    taskHint:
      "Qué hará su agente o programa, para quién y con qué frecuencia aproximada preguntará.",
    data: "¿Qué contenidos necesita?",
    dataHint: "Temas, autores, obras o todo.",
    access: "¿Qué debe permitir la clave?",
    read: "Leer: buscar y leer lo publicado",
    write: "Leer y escribir: para quienes trabajan en este sitio",
    sendRequest: "Enviar la solicitud",
    messageSent: "Gracias por su mensaje",
    messageSentText: "Ha llegado. La redacción responde por correo a la dirección que indicó.",
    requestSent: "Gracias por su solicitud",
    requestSentText: "Ha llegado. Así continúa:",
    requestIsRead: "Una persona lee su solicitud y decide. Puede tardar unos días.",
    requestIsAnswered:
      "Se le avisa por correo, a la dirección que indicó. Si se concede la clave, recibe un código de recogida.",
    requestIsClaimed: (claim) => [
      "Con el código recoge la clave en un plazo de siete días: ",
      claim,
      ".",
    ],
    homePage: "Página de inicio",
  },

  claim: {
    title: "Recoger su clave",
    enterCode: "Introduzca su código de recogida",
    code: "Código de recogida",
    codeHint: "Empieza por cplc_ y se lo entregó la administración.",
    showKey: "Mostrar mi clave",
    intro: (askAgain) => [
      "Una solicitud concedida incluye un código de recogida. Introdúzcalo aquí para obtener su clave: el código vale una vez y la clave se muestra una sola vez, así que tenga listo un lugar seguro donde guardarla. ¿Ha perdido el código o ha caducado? ",
      askAgain,
      ".",
    ],
    askAgain: "Solicite otro",
    yourKey: "Su clave",
    shownOnce:
      "Esta página muestra la clave una sola vez, y nadie podrá volver a mostrarla. Cópiela ahora y guárdela con sus contraseñas.",
    allows: (what) => `Permite: ${what.join("; ")}.`,
    rate: (perMinute) =>
      counted(perMinute, { one: "# petición por minuto", other: "# peticiones por minuto" }),
    noEnd: "sin vencimiento",
    until: (day) => `hasta el ${day}`,
    onlyFrom: (networks) => `solo desde ${networks.join(", ")}`,
    howToUse: "Cómo usarla",
    asHeader: "Envíela en la cabecera de cada petición y no la ponga nunca en una dirección:",
    service: (address) =>
      `El servicio MCP está en ${address} (streamable HTTP). Muchos clientes aceptan una configuración como esta:`,
    interface: (address, root) =>
      `La interfaz de administración está en ${address}; ${root} dice qué permite la clave.`,
    ifLost: (contact) =>
      `Si la clave se pierde o cae en malas manos, [escríbanos](${contact}): la sustituimos.`,
  },

  form: {
    putRight: "Corrija esto, por favor",
    notSent: (title) => `Sin enviar todavía – ${title}`,
    optional: "opcional",
    leaveEmpty: "Deje este campo vacío",
    isAt: (address) => ["El formulario está en ", address, ":"],
  },

  errors: {
    400: "No se pudo entender la petición.",
    403: "Eso no está permitido aquí.",
    404: "No hay nada en esta dirección.",
    405: "Esta dirección no acepta eso.",
    413: "Es demasiado grande.",
    415: "Aquí no se acepta este tipo de datos.",
    429: "Demasiadas peticiones. Espere un momento e inténtelo de nuevo.",
    500: "Algo ha fallado por nuestra parte. Inténtelo más tarde.",
    503: "El sitio está ocupado o en mantenimiento. Inténtelo de nuevo en un momento.",
    homePage: "Página de inicio",
    request: "Petición",
  },

  faults: {
    nameMissing: "Díganos su nombre",
    emailMissing: "Indique un correo electrónico",
    emailWrong: "Indique un correo electrónico, como nombre@example.org",
    messageMissing: "Escriba su mensaje",
    taskMissing: "Díganos para qué es la clave",
    accessMissing: "Elija leer, o leer y escribir",
    codeMissing: "Introduzca su código de recogida",
    codeWrong: "Este código no es válido, ya se usó o ha caducado",
    severalLines: "Escríbalo en una sola línea",
    controlCharacters: "Quite los caracteres de control: no se pueden mostrar",
    tooLong: (charactersMax) => `Como máximo ${number(charactersMax)} caracteres`,
    other: "Escríbalo de otra manera: así no se puede usar",
    formTampered:
      "El formulario no procede de esta página tal como es: revíselo y envíelo de nuevo",
    formOld: "Este formulario se abrió hace más de un día: revíselo y envíelo de nuevo",
    formTooFast:
      "Fue más rápido de lo que una persona rellena un formulario: revíselo y envíelo de nuevo",
    notSaved:
      "Ahora no podemos guardar lo que envió. Sigue abajo tal como lo escribió: envíelo de nuevo en un minuto o escríbanos por correo",
    codeNotChecked:
      "Ahora no podemos comprobar su código. Sigue siendo válido: introdúzcalo de nuevo en un minuto",
    sentTooOften: (times, left) =>
      `Desde su red se ha enviado este formulario ${number(times)} veces en una hora: envíelo de nuevo en ${minutes(left)} o escríbanos por correo`,
    triedTooOften: (times, left) =>
      `Desde su red se han probado ${number(times)} códigos en una hora: inténtelo de nuevo en ${minutes(left)}`,
  },
};
