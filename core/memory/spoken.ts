// Contractions and statements without a subject, as people write them in chats, in full.

const PRONOUN = "(?:he|she|it|they|who|that|there|everything|everyone)";
const STATE =
  "(?:married|engaged|retired|divorced|based|called|named|interested|tired|separated|allergic|scheduled|due|located|employed|supposed|used to|planned)";
const HAS = new RegExp(
  `\\b(${PRONOUN})['’]s (?=(?:now |just |already |recently |never )?(?:(?!${STATE}\\b)\\w{2,}ed|been|gone|got|left|become|taken|given|sold|bought|begun|broken|quit|lost|written|switched|had|grown|risen|fallen|chosen)\\b)`,
  "gi",
);
const IS = new RegExp(`\\b(${PRONOUN})['’]s (?=\\S)`, "gi");
/** A possessive is never followed by one of these. */
const NOUN_IS =
  /(?<=\p{L})['’]s (?=(?:an?|the|my|our|your|their|the user's|in|on|at|from|not|now|no|called|named|based|married|engaged|allergic|half|noon|(?!k?ing\b|(?:build|meet|wedd|train|even|morn|paint|draw|sav|earn|record|hear|find|feel|sibl|belong|offer|open|clos|start|begin|swimm|cycl|danc|writ|read|teach|park|live|liv|din|housing)ing)\p{Ll}{2,}ing)\b)/gu;

/** A text with `she's`, `they've` and `Lena's our CTO` in full words. Possessives stay. */
export const inFull = (text: string): string =>
  text
    .replace(HAS, "$1 has ")
    .replace(IS, "$1 is ")
    .replace(/\b(they|who)['’]re\b/gi, "$1 are")
    .replace(/\b(they|who)['’]ve\b/gi, "$1 have")
    .replace(NOUN_IS, " is ");

const DONE =
  "(?:moved|relocated|sold|bought|traded|swapped|ditched|cancelled|canceled|quit|joined|adopted|switched|upgraded|downgraded|gave up|given up|broke up|split up|retired|resigned|stopped|dropped out|dropped|replaced|got (?=an?\\b|my\\b|our\\b|rid\\b|married|divorced|engaged|promoted|fired|the job|laid)|left (?=\\p{Lu}|my\\b|the (?:job|company|firm)))";
const UNSAID = new RegExp(
  `^(?:(?:just|finally|recently|also|already|actually|sadly|so) )*${DONE} ?(?=(?:the|an?|my|our|to|from|in|out|into|back|rid|with|up|off|smoking|drinking|eating|\\p{Ll}+ing|\\p{Lu}\\S+|married|divorced|engaged|promoted|fired|laid)\\b)`,
  "iu",
);
const CONTACT =
  /^(?:please )?(?:use|write to|mail|mail me at|e-?mail me at|contact me (?:at|on|under)|reach me (?:at|on|under)) ([^\s@]+@[^\s@]+\.[\p{L}\d]+)(?:[ ,].*)?$/iu;
const PHONE =
  /^(?:please )?(?:you can )?(?:call|reach|text|phone|ring) me (?:on|at|under) (\+?\d[\d ()/-]{4,}\d)(?:[ ,].*)?$/i;
const KIN =
  /^(mum|mom|mummy|dad|daddy|grandma|grandpa|granny|sis|bro)(?=['’]s | (?:is|has|lives|works|moved|got|likes|loves|hates)\b)/i;

/** A statement in which the "my" of chats is said, and a request to use an address as the statement of it. */
export const inStatement = (text: string): string =>
  text
    .replace(CONTACT, "My email is $1 now")
    .replace(PHONE, "My phone number is $1")
    .replace(KIN, kin => `my ${kin.toLowerCase()}`);

/** A statement of what was done, with the "I" that chats leave out. */
export const withSubject = (text: string): string =>
  UNSAID.test(text.charAt(0).toLowerCase() + text.slice(1)) && /^\p{Lu}?\p{Ll}/u.test(text)
    ? `I ${text.charAt(0).toLowerCase()}${text.slice(1)}`
    : text;
