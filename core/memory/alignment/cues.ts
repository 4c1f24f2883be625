import { isAboutPast } from "../gist.ts";

// The words by which a statement says that something has changed, has ended, comes on top, or is not asserted.

const MOVED =
  "moved?|moves|relocat\\w+|chang(?:e|ed|es|ing)|switch\\w*|swapp?\\w*|replac\\w+|renew\\w*|extend\\w*|postpon\\w+|push(?:ed|es)|brought|brings|reschedul\\w+|" +
  "rebook\\w*|slipp\\w+|slid|shift(?:ed|s)|rais(?:ed|es|ing)|increas\\w+|lower\\w*|cut|reduc\\w+|bump\\w*|upped|doubl\\w+|tripled|halv\\w+|upgrad\\w+|" +
  "downgrad\\w+|updat(?:ed|es)|migrat\\w+|transferr?\\w*|renam\\w+|rebrand\\w*|promot\\w+|reassign\\w*|handed|passed|succeed\\w*|became|become|becomes|" +
  "turned|turns|grown|grew|shrunk|shrank|fallen|fell|dropp\\w+|rose|risen|gone|went|converted|merged|delayed|adjusted|corrected|revised|amended|" +
  "overhauled|ported|adopted|settled|started|starts|begun|began|begins|took|taken|picked up|resumed|signed|joined|joins|hired|landed|accepted|got|opted|chose|chosen|returned|bought|ordered|opened|traded|retired|left|treat(?:ed|s)|scal(?:ed|es)|fixed|resolved|repaired|exten\\w+|took over|takes over|succeeds|dyed|escalat\\w+|assigned|shorten\\w*|lengthen\\w*|prolong\\w*|lifted|widened|narrowed|expanded|painted|repainted|is the";
const NOW =
  "now|these days|nowadays|from now on|from here on|going forward|as of|effective|any ?more|no longer|any longer|instead|since|" +
  "starting|beginning|from (?:today|tomorrow|next|this|now|monday|tuesday|wednesday|thursday|friday|january|february|march|april|may|june|july|august|september|october|november|december)|" +
  "new|newly|again|back|finally|latest|rather than|not|by now|meanwhile|in ages|for ages|(?:in|for) (?:\\d+|many|several|some) (?:days|weeks|months|years)|currently|at present|so far|has been|have been|got|down to|up to|turns out|correction|actually|used to|recently|just";
const CHANGE = new RegExp(`\\b(?:${NOW}|${MOVED})\\b`, "iu");

const HAS_MOVED =
  /\b(?:moved|changed|switched|swapped|replaced|left|quit|sold|stopped|cancelled|returned|retired|resigned|off|away|gone|died|dyed|lost|gave|given|dropped|became|turned|promoted|fired)\b/iu;

/** Words after which a statement adds to others, and replaces none. */
const FURTHER =
  /\b(?:too|as well|also|another|additional(?:ly)?|second|third|other|others|extra|further|both|besides|in addition|on top|(?<!\b(?:any|no) )more|each|either|plus|alongside|sometimes|occasionally|every so often|part of the time)\b/iu;
/** Not asserted: plans, hopes, questions, hearsay and conditions. */
const OPEN =
  /\b(?:might|may(?! \d)|could|should(?! (?:now |please )?(?:go|be (?:sent|addressed))\b)|would|want(?:s|ed)?|wish\w*|hop(?:e|es|ing)|plan(?:s|ning|ned)? (?:to|on)|consider\w*|thinking|think(?:s)?|thought|if|unless|maybe|perhaps|probably|possibly|dream\w*|almost|nearly|interview\w*|appl(?:y|ied|ying)|looking (?:at|for|into)|interested in|asked|wonder\w*|whether|intend\w*|about to|going to be|supposed to|need(?:s)? to|has to|have to|tried|trying|tends?|heard|rumou?rs?)\b/iu;
/** For a while only. */
const BRIEFLY =
  /\b(?:(?<!since )this (?:week|weekend|morning|afternoon|evening|month)|today|tonight|tomorrow|for (?:the|a|an|two|three|\d+) (?:day|days|week|weeks|weekend|night|nights|conference|meeting|holiday|trip|visit|month|months|while)|on (?:a |the )?(?:trip|holiday|vacation|business)|visit\w*|temporar\w+|for now|until|passing through|travelling)\b/iu;
/** About a time that is over. */
const EARLIER =
  /\b(?:used to|previously|formerly|originally|back then|at the time|in the past|as a (?:child|kid|student|teenager)|when (?:the user|they|he|she) (?:was|were)|once(?! (?:an?|per|every) )|years ago|had been|before that|before)\b/iu;
const DENIES = /\b(?:not|no|never|none|nothing|cannot|without|\w+n't)\b/iu;

/** "The deadline has not changed". */
const STAYS =
  /\b(?:not|n't|never) (?:yet |been )?(?:chang\w*|mov(?:e|ed|ing)|switch\w*|updat\w*|replac\w*|alter\w*|cancel\w*|abandon\w*|sold|left|quit|postpon\w*|delay\w*)\b|\b(?:still|unchanged|stays? (?:the same|as)|remains?|as before|the same)\b/iu;

export interface Cues {
  /** It says that something has changed. */
  change: boolean;
  further: boolean;
  open: boolean;
  brief: boolean;
  earlier: boolean;
  denied: boolean;
  past: boolean;
  /** It begins or ends. */
  aspect: "start" | "end" | null;
  /** It says that something was moved, sold, left or the like. */
  moved: boolean;
  /** It says that nothing has changed. */
  stays: boolean;
}

export const cuesIn = (text: string): Cues => ({
  change: CHANGE.test(text),
  further: FURTHER.test(text),
  open: OPEN.test(text.replace(/\bMay\b/g, "")),
  brief: BRIEFLY.test(text),
  earlier: EARLIER.test(text),
  denied: DENIES.test(text),
  past: isAboutPast(text) && !/\b(?:is|are|has|have)\b/i.test(text),
  aspect: /\b(?:ends?|ended|shuts?|finish\w*|clos\w+|expir\w+|stop\w*)\b/i.test(text)
    ? "end"
    : /\b(?:starts?|started|begins?|began|opens?|opened)\b/i.test(text)
      ? "start"
      : null,
  moved: HAS_MOVED.test(text),
  stays: STAYS.test(text),
});

const PREPOSITIONS = "(?: (?:to|in|at|on|with|for|from|as|of))?";
/** Verbs of a person that end what follows. The longer ones stand first. */
const ENDS = [
  `(?:no longer|stopped|quit|given up|gave up|done|finished) (?:\\p{Ll}+ing|(?:uses?|goes|go|drives?|plays?|works?|owns?|has|have|takes?|eats?|drinks?|needs?|lives?|rents?|subscribes?|attends?|wears?|rides?|runs?|smokes?))${PREPOSITIONS}(?= (?!because|since|as|and|for|after|any|in|on|at|when|so|due|this|last|now|altogether|completely)\\S)`,
  "(?:gave|given) up(?: on)?|(?:gave|given) away|(?:gone|went|is) off|moved (?:on|away) from|call(?:ed)? off|called it a day with|finished with|done with|fed up with|parted (?:ways )?with|(?:got|gotten|get) rid of|cut out|phased out|let go of|(?:shut|closed) down|turned off|sworn off|packed in|wound up|unsubscribed from|switched away from|dropped out of|signed off from|over with|no longer|put away|(?:pulled|pull|backed|back|bowed|opted) out of|paid (?:off|back)|wiped|changed (?:their|the user's) minds? about|decided against|(?:thrown|threw) (?:out|away)|got over|recovered from|weaned off|came off|come off|moved off|stayed away from|turned (?:their )?back on|said goodbye to|bid farewell to",
  // "Sold a boat": it is not the one that is known.
  "(?:sold|cancell?ed|quit|ditched|dropped|dumped|stopped|ended|left|lost|closed|deleted|removed|scrapped|binned|abandoned|discontinued|terminated|uninstalled|returned|retired|finished|completed|outgrown|outgrew|let|replaced|swapped|traded|exchanged|broke|crashed|totalled|decommissioned|retired|withdrew from|withdrawn from|skipped|axed|revoked|rescinded|reversed|undid|cleared|dissolved|lifted)(?! an? )",
].join("|");
const OWNED = "(?:all (?:of )?)?(?:the user's |their |the |his |her |its |an? |any )?(?:old )?";
const STOPS =
  "(?= (?:for|because|after|since|in|at|due|and|so|when|last|yesterday|today|this|on|as|to|with|by|lapse|expire|run out|go|any ?more|any longer|entirely|completely|altogether|over|instead|a (?:week|month|year)|\\d+)\\b|[,;.]|$)";
const GONE =
  "(?:gone|over|dead|history|cancell?ed|off|ended|expired|lapsed|stolen|sold|scrapped|discontinued|finished|done|no more|closed|shut(?: down)?|away|disbanded|dissolved|retired|out|broken up|called off|wound up|deleted|removed|decommissioned|kaput|replaced|a thing of the past|behind (?:the user|them)|no longer (?:\\p{Ll}+ing|valid|active|needed|in use|available|used|there|with us|alive|on))";
const ADVERBS = "(?:(?:is|are|was|were|has|have|had|got|been|now|just|finally|sadly|all|already|officially) )*";
const ENDINGS = [
  new RegExp(`\\bno (?:more )?([\\p{L} -]{3,40}?)(?: any ?more| any longer| for the user(?: any ?more)?| now)$`, "iu"),
  new RegExp(
    `^${OWNED}(.{1,60}?) ${ADVERBS}(?:(?<=(?:is|are|was|were|been|got|now|all) )${GONE}\\b|(?:died|passed away|ran out|run out|expired|ended|lapsed|went (?:to the scrapyard|bust|bankrupt|under|out of business)|closed down|passed|fell through|came off|shut down|folded|moved (?:out|away)|stopped working|packed up)\\b)(?! (?:to|into) \\S)`,
    "iu",
  ),
  /\b(?:switched|changed|swapped) (?:their )?([a-z]+s)$/iu,
  /\b(?:no longer|does(?:n't| not)|do(?:n't| not)) (?:need|want|have|use|wear|take|own)s? ([^,;]{2,40}?) (?:any ?more|any longer)$/iu,
  /\b(?:took|taken|weaned|got|put) (?:the user|them|him|her|\p{Lu}\p{Ll}+) off ([^,;]{2,40}?)(?= (?:for|because|after|since|last|in|and|again)\b|[,;]|$)/iu,
  /^the user's ([^,]{1,40}?)(?<! (?:is|was|are|were|be|been)) (?:has |have )?(?:broke(?: down)?|broken(?: down)?|crashed|packed in|conked out|gave out)\b/iu,
  new RegExp(`\\b(?:${ENDS}) ${OWNED}([^,;]+?)${STOPS}`, "iu"),
  // "Put the violin away".
  new RegExp(
    `\\b(?:put|cut|got|had|threw|thrown|gave|given|turned|called|paid|sold|packed|shut|closed|ruled|took|taken|phased|left|kicked|wound|wrapped|let) ${OWNED}((?!to\\b)[^,;]{2,40}?) (?:away|out|off|up|down|behind|aside|back|go)(?= of\\b|[,;]| for good| completely| entirely| altogether| last| in | and |$)`,
    "iu",
  ),
  new RegExp(`\\b(?:instead of|rather than|in place of|, not) ${OWNED}([^,;]+?)${STOPS}`, "iu"),
];

/** What the statement says has ended, in its own words. */
export const endedIn = (text: string): string[] =>
  ENDINGS.flatMap(pattern => {
    const found = pattern.exec(text);
    const isDenied = found !== null && /(?:\bnot|n't|\bnever)(?: \w+)? $/i.test(text.slice(0, found.index));
    return found?.[1] === undefined || isDenied ? [] : [found[1]];
  });

/** "Mr Blake has left": whoever held a post or lived there does so no more. */
const LEAVES =
  /\b(?:left(?! (?:the office|work|home|early|late|at)\b)|leaves(?! (?:the office|work|home|early|late|at)\b)|leaving|retired|retires|stepped down|stood down|resigned|quit|moved (?:on|away|out)|gone|no longer (?:works|with|here|in charge|our|the|responsible)|terminat\w+|churned|closed (?:its|their|the) account|went (?:bankrupt|under|bust)|cancelled (?:its|their|the) (?:contract|account|subscription)|was (?:fired|let go|laid off|replaced|succeeded)|has been (?:fired|let go|replaced|succeeded)|handed (?:over|it|in)|replaced|succeeded|took over|taken over|takes over|passed away|died)\b/iu;
export const saysLeft = (text: string): boolean => LEAVES.test(text);
