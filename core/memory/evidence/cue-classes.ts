// The words and phrases by which a statement ends, changes, completes or adds to another, by class, as data. A phrase may
// be in several classes.
import { once } from "../../once.ts";

const CLASSES = {
  end: `no longer|any ?more|any longer|stop(?:s|ped|ping)?|quit|g[ai]ve(?:n)? up|giving up|ceased?|cancel(?:l?ed|ling|s)?|called off|(?:is|are|was|were|been|came|coming) off|(?:is|are|was|were|been|all) over|gone
(?:done|finished|through) with|ended|clos(?:ed|ing|es)|shut(?:ting|s)?|sold|binned|ditch(?:ed|ing)?|dropp?(?:ed|ing)?|dump(?:ed|ing)?|scrap(?:ped)?|sent (?:it |them )?back|(?:get|got|gotten|getting) rid|thr(?:ew|own)|g[ai]ven? away|donated|lost|stole|stolen|nicked|robbed
broke up|split up|separated|divorced|died|dead|passed away|goodbye|farewell|things? of the past|rip|rest in peace|retir(?:ed|ing|es)|resign(?:ed|ing|s)|stepp(?:ed|ing) (?:down|back)|left|leaving|leaves|walked (?:out|away)|withdr(?:ew|awn)|pull(?:ed|ing|s)? (?:out|the plug)|back(?:ed|ing) out|dropp(?:ed|ing) out
out of business|bankrupt|bust|expired|lapsed|r[au]n out|uninstalled|deleted|removed|let \\S+ go|laid off|fired|sacked|fell through|fallen through|turned (?:\\S+ )?down|rejected|declined|refused|forb(?:ade|idden)|banned|renew|no more|wiped|decommissioned|(?:switch|turn)(?:ed|ing)? off
terminated|discontinued|axed|disbanded|dissolved|paid off|outgr(?:ew|own)|abandon(?:ed|s)|abolished|phas(?:ed|ing) out|packed (?:it )?in|call(?:ed)? it|unsubscribed|opted out|moved (?:on|out|away)|taken off|took \\S+ off|c[ao]me off|taken out|given notice|broke(?:n)?|botched|crashed|failed|fed up|had enough|history|last (?:one|time|day|ever)|wrapped up|wound up|off the (?:table|menu|cards)`,
  deny: `not|no|never|none|nobody|nothing|without|cannot|\\w+n't|neither|nor|hardly|barely`,
  away: `out|off|down|away|over|back|up`,
  change: `switch(?:ed|es|ing)?|chang(?:ed|es|ing|e)|mov(?:ed|es|ing)|relocat(?:ed|es|ing)|went over|(?:go|goes|going|went) with|swap(?:ped|s|ping)?|replac(?:ed|es|ing)|trad(?:ed|es|ing)|upgrad(?:ed|es|ing)|downgrad(?:ed|es|ing)|migrat(?:ed|es|ing)|back (?:to|on|in|at)|turn(?:ed|s|ing) into|became|becom(?:es|ing)
rais(?:ed|es|ing)|cut(?:ting|s)?|lower(?:ed|s)?|increas(?:ed|es|ing)|reduc(?:ed|es|ing)|bump(?:ed|s)|upp(?:ed|s)|doubl(?:ed|es|ing)|tripled|halv(?:ed|es)|trimmed|push(?:ed|es|ing)|brought (?:\\S+ )?forward|put (?:\\S+ )?(?:off|back)|postpon(?:ed|es)|delay(?:ed)?|reschedul(?:ed|es)|rebook(?:ed|s)|extend(?:ed|s)|shorten(?:ed|s)|tighten(?:ed|s)|relax(?:ed|es)
shot up|(?:gone|went|goes|go|going) (?:up|down)|risen|rose|rising|fell|fallen|grown|grew|shr[au]nk|climbed|jumped|down to|up to|t(?:ook|aken|akes|aking) over|hand(?:ed|s|ing)|passed (?:on|to)|promoted|demoted|renam(?:ed|es)|rebrand(?:ed|s)|transferr?(?:ed|s)|reassign(?:ed|s)|slip(?:ped|s)|slid|shift(?:ed|s)|convert(?:ed|s)|settled|ended up|reset|updat(?:ed|es)|revis(?:ed|es)|amend(?:ed|s)|adjusted|correct(?:ed|s)
renegotiat(?:ed|es)|redesigned|reorgani[sz](?:ed|es)|restructur(?:ed|es)|merged|overhauled|rewrote|rewritten|roll(?:ed|ing)|minds?|differ(?:s|ent)`,
  instead: `instead|rather than|in place of|in favou?r of|but|after all|in the end|turns? out|turned out|correction|scratch that|decided|opted|chose|chosen|went for|only|so|apart from|except|than`,
  now: `now|these days|nowadays|from now on|from here on|going forward|as of|effective|from (?:today|tomorrow|tonight|this|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december)|since|starting|currently|at present|by now`,
  fresh: `new|newly|latest|again|already|just|finally|at last|recently|today|yesterday|tonight|(?:this|last) (?:week|month|year|morning|afternoon|term|season|night|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter)|ago`,
  achieved: `pass(?:ed)?|got|gotten|received|arriv(?:ed|es)|came|booked|paid|bought|purchased|picked up|found|fix(?:ed)?|repaired|mended|heal(?:ed|s)|recovered|cured|better|renew(?:ed)?|accept(?:ed)?|approv(?:ed|al)|grant(?:ed)?|sign(?:ed|s)|born|finish(?:ed)?|complet(?:ed|es?)|done|did|graduat(?:ed|es)|defended|submitted|deliver(?:ed|y)|install(?:ed)?|matched|adopted|resolv(?:ed|es)|solv(?:ed|es)|hit|reached|broke|made it|smoothly|ready|shipped|published|launched|live|won|said yes|hired|landed|secured|confirmed|settled|refunded|returned|back|all set|sorted|cleared|discharged|moved in|started|begun|began|joined|opened|signed off|turned up|gave birth|took|went`,
  further: `also|too|another|as well|other|second|third|both|besides|in addition|additional|extra|more|sometimes|occasionally|once|one-off|just for|usually`,
  habit: `every|always|usually|normally|each|still|as (?:always|ever)|ever since`,
} as const;

export type CueClass = keyof typeof CLASSES;
const patterns = once(() =>
  Object.entries(CLASSES).map(
    ([name, words]) =>
      [name as CueClass, new RegExp(`(?<![\\p{L}'-])(?:${words.replaceAll("\n", "|")})(?![\\p{L}'-])`, "giu")] as const,
  ),
);

/** Where the cues of each class stand: the indexes of the words that each begins and ends with. */
export function cuesAt(text: string, offsets: readonly number[]): Map<CueClass, [number, number][]> {
  const wordAt = (offset: number) => {
    let at = 0;
    while (at + 1 < offsets.length && offsets[at + 1]! <= offset) at++;
    return at;
  };
  const found = new Map<CueClass, [number, number][]>();
  for (const [name, pattern] of patterns()) {
    const places = [...text.matchAll(pattern)].map(({ 0: cue, index }): [number, number] => [
      wordAt(index),
      wordAt(index + cue.length - 1),
    ]);
    if (places.length > 0) found.set(name, places);
  }
  return found;
}
