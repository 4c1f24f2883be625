// Words that state nothing by themselves and tie no two statements together, as data.

export const COMMON_WORDS: readonly string[] = `
user be is are am been was were has have had do does did done get got go going take took taking make makes made put
can could will would shall keep give gave let lets say says said see use who that which what where when there here
it in on at with by for of to as about from into up down out off over until like a through and or but so because if
while though not no never only just already always ever very really quite too also still yet now previous own same
such first last next late best good usual everything something anything thing stuff way lot bit time day week today
yesterday tomorrow one they them he she we i you me us any more again back since these days start stop end actually
finally please hello yes every given gone whole after before minute little nice lovely huge
`
  .trim()
  .split(/\s+/);
