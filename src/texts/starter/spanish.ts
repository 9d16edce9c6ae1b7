import type { StarterTexts } from "./english.ts";

export const SPANISH_STARTER: StarterTexts = {
  language: "es",
  site: {
    name: "Sitio nuevo",
    description: "Un sitio recién creado que todavía no se ha descrito.",
    purpose: "ver lo que publica esta asociación",
  },
  withSiteName: {
    description: (name) => `Lo que publica ${name}, para personas y para agentes de investigación.`,
    home: (name) => `Este es el sitio de ${name}. Se acaba de crear.`,
  },
  home: {
    title: "Sitio nuevo",
    summary: "Este sitio se acaba de crear.",
    body: "La redacción dirá aquí para qué sirve el sitio. Lea [quiénes somos](/quienes-somos) o [escríbanos](/contact).",
  },
  about: {
    path: "/quienes-somos",
    title: "Quiénes somos",
    summary: "Quién publica este sitio.",
    body: "La redacción dirá aquí quién es y cómo trabaja.",
  },
  contact: {
    title: "Contacto",
    summary: "Cómo escribir a la redacción y pedir una clave para el servicio MCP.",
    body: "La redacción dirá aquí quién lee lo que usted escribe. Para leer no hace falta ninguna clave; los agentes de investigación que quieran buscar mediante el servicio MCP necesitan una. Use los formularios siguientes.",
  },
  privacy: {
    path: "/privacidad",
    title: "Privacidad",
    summary: "Lo que el sitio guarda sobre sus visitantes.",
    body: "Este sitio no usa cookies ni ejecuta scripts en su navegador. El servidor puede llevar un registro de las peticiones para encontrar fallos y abusos. Las palabras buscadas se cuentan por días, sin nada que diga quién buscó, y se guardan 90 días.\n\nLo que envíe con los formularios de [la página de contacto](/contact) se guarda para poder responderle: su nombre, su correo electrónico y su mensaje, o lo que cuente de su organización y su tarea al pedir una clave. Se borra un año después de la última gestión. Si recibe una clave, su nombre, su dirección y su tarea quedan con ella. Su dirección de red se guarda en memoria durante una hora, para evitar abusos.",
  },
  imprint: {
    path: "/aviso-legal",
    title: "Aviso legal",
    summary: "Quién es responsable de este sitio.",
    body: "Nombre de la asociación  \nCalle y número  \nCódigo postal y localidad\n\nRepresentada por: …  \nCorreo electrónico: …  \nRegistro y número: …\n\nResponsable del contenido: …",
  },
  accessibility: {
    path: "/accesibilidad",
    title: "Declaración de accesibilidad",
    summary: "Hasta qué punto este sitio es accesible para todos y a quién avisar de las barreras.",
    body: "Esta declaración se preparó el … tras una revisión de ….\n\n## Lo que funciona\n\nLas páginas no necesitan scripts, se pueden usar con el teclado, siguen los colores y el tamaño de texto de su dispositivo e indican el idioma de cada texto.\n\n## Lo que no funciona\n\nEnumere aquí los problemas que conozca, como imágenes sin texto alternativo o documentos que no se pueden leer en voz alta.\n\n## Escríbanos\n\nSi encuentra una barrera, [escríbanos](/contact) y le responderemos en un plazo de …. Si no lo hacemos, puede dirigirse a ….",
  },
};
