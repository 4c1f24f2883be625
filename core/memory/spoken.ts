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
export const expandContractions = (text: string): string =>
  text
    .replace(HAS, "$1 has ")
    .replace(
      /(?<=\p{L})['’]s (?=got (?:an?|the|two|three|four|no) |been (?:\w+ed|put|brought|sold|set|cut)\b)/gu,
      " has ",
    )
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
const UNSAID_DEED =
  /^(?:(?:haven['’]t|hadn['’]t|didn['’]t) \p{Ll}+|(?:just |finally )?(?:\p{Ll}{3,}ed|went|did|bought|gave|took|had|found|began|got|made|met|lost|broke|quit|sold|left) (?:my|our|an?|the|to|from|rid)(?= )|can['’]t \p{Ll}+$|learn(?:ed|t) to) ?/iu;
const CONTACT =
  /^(?:please )?(?:use|write to|mail|mail me at|e-?mail me at|contact me (?:at|on|under)|reach me (?:at|on|under)) ([^\s@]+@[^\s@]+\.[\p{L}\d]+)(?:[ ,].*)?$/iu;
const PHONE =
  /^(?:please )?(?:you can )?(?:call|reach|text|phone|ring) me (?:on|at|under) (\+?\d[\d ()/-]{4,}\d)(?:[ ,].*)?$/i;
const KIN =
  /^(mum|mom|mummy|dad|daddy|grandma|grandpa|granny|sis|bro)(?=['’]s | (?:is|has|lives|works|moved|got|likes|loves|hates)\b)/i;

const ATTRIBUTE =
  "(?:\\p{Ll}+ )?(?:address|e-?mail(?: address)?|phone|number|mobile|url|endpoint|website|plan|name|surname|username|title|company|iban|time ?zone|delivery day)";
/** "English please": the language of the answers. */
const LANGUAGE =
  /^(?:only |just )?(?:in )?(\p{Lu}\p{Ll}+(?:ish|ese|[ie]an|ic|ch)|French|Dutch|Greek|Czech|Hindi),? (?:only |again )?(?:please|from (?:now|here) on)\b.*$/u;
/** "New number: 555 0199". */
const FRESH = new RegExp(`^(?:note )?(?:the |our |my )?new (${ATTRIBUTE})(?: is|:| -) ?(?:now )?(.+)$`, "iu");
/** "Send invoices to X": where they go from now on. */
const SENT =
  /^(?:please )?(?:send|ship|deliver|forward|address|direct|mail) (?:all |our |my |any )?((?:\p{Ll}+ )?(?:invoices|packages|parcels|orders|bills|mail|post|deliveries|shipments|notifications|alerts|statements|receipts)) to (.+)$/iu;
/** "Please change our address to X": the sender has it from now on. */
const TO_SET = new RegExp(
  `^(?:please )?(?:change|update|set|note) (?:my|our) (?:new )?(${ATTRIBUTE})(?: on file)?(?: from \\S+)?(?: to|:) (?!the |something)(.+)$`,
  "iu",
);

/** A statement in which the "my" of chats is said, and a request to use an address as the statement of it. */
export const inStatement = (text: string): string =>
  text
    .replace(CONTACT, "My email is $1 now")
    .replace(PHONE, "My phone number is $1")
    .replace(/^(?:mum|mom) and dad(?= )/i, "my parents")
    .replace(LANGUAGE, "Please answer in $1")
    .replace(/^.+$/s, asNote)
    .replace(SENT, "$1 go to $2")
    .replace(FRESH, "My $1 is $2 now")
    .replace(TO_SET, "My $1 is $2 now")
    .replace(KIN, kin => `my ${kin.toLowerCase()}`);

const NOTED =
  /^((?!(?:note|update|question|ps|edit|fyi|todo|re|subject|example|answer|hint|tip|reminder|heads|warning|correction|news|to|from|cc|hi|hello|dear|i|we|he|she|they|it|my|our|please)\b)\p{L}[\p{L}-]*(?: \p{Ll}[\p{L}-]*){0,2}): (?=\S)(.{1,80})$/iu;
const IN_STATE =
  /^(?:(?:no longer|still|also|now|not) )*(?:allergic|vegan|vegetarian|married|single|divorced|retired|pregnant|based in|living in|working (?:at|as|for)|lactose|engaged|with (?=\p{Lu})|(?<=^still )(?:with|in|at|on)|stuck (?:with|on))\b/iu;
/** A note such as "Region: eu-west", and a state without a subject, as statements. */
const asNote = (text: string): string =>
  IN_STATE.test(text)
    ? `I'm ${text.charAt(0).toLowerCase()}${text.slice(1)}`
    : text.replace(
        NOTED,
        (_, what: string, value: string) => `The ${what.charAt(0).toLowerCase()}${what.slice(1)} is ${value}`,
      );

/** A statement of what was done, with the "I" that chats leave out. */
export const withSubject = (text: string): string =>
  (UNSAID.test(text.charAt(0).toLowerCase() + text.slice(1)) || UNSAID_DEED.test(text)) && /^\p{Lu}?\p{Ll}/u.test(text)
    ? `I ${text.charAt(0).toLowerCase()}${text.slice(1)}`
    : text;
