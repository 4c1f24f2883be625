import { zoneName } from "../../contracts/zone-name.ts";

/** Names that IANA keeps as aliases of others. */
const ALIASES = `
  Asia/Calcutta Asia/Kolkata Europe/Kiev Europe/Kyiv US/Eastern US/East-Indiana America/Knox_IN Asia/Ho_Chi_Minh
  Asia/Tel_Aviv America/Argentina/ComodRivadavia Brazil/DeNoronha Chile/EasterIsland Mexico/BajaNorte Mexico/BajaSur
  Australia/ACT Australia/LHI Australia/NSW GB GB-Eire NZ NZ-CHAT W-SU PRC ROC ROK UTC Etc/UTC Etc/UCT UCT Zulu Etc/Zulu
  GMT Etc/GMT+8 Etc/GMT-14 GMT0 Etc/GMT0 CET EST EST5EDT CST6CDT MST7MDT PST8PDT Cuba Japan Navajo
`;
const names = [...new Set([...Intl.supportedValuesOf("timeZone"), ...ALIASES.trim().split(/\s+/)])];

it("corrects the letter case of every name, and keeps aliases", () => {
  expect(names.length).toBeGreaterThan(400);
  expect(names.map(zoneName)).toEqual(names);
  expect(names.map(name => zoneName(name.toLowerCase()))).toEqual(names);
  expect(names.map(name => zoneName(name.toUpperCase()))).toEqual(names);
});

it.each(["mars/olympus", "europe/berlin ", "+02:00", ""])("leaves %j, which is the name of no time zone", name => {
  expect(zoneName(name)).toBe(name);
});
