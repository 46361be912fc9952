/**
 * Passwords that guessers try first. Lists of the most common ones are, at twelve characters and more, nearly all made the
 * same way: one or two everyday words, spelled with signs for letters, with a year or some digits around them. So the words
 * are listed, and what is made of them is found out: some 80,000 pairs from 300 words, with any decoration.
 */

const words = new Set(
  `password passwort passwd pass pwd kennwort losung geheim secret secrets supersecret topsecret private default standard
  admin administrator adm root user users username guest gast test testing tester demo sample example temp temporary
  login logon logmein signin welcome willkommen bienvenue hello hallo hi bonjour hola ciao moin
  change changeme changeit changethis please bitte letmein let me in enter access open opensesame sesame unlock
  qwerty qwertz azerty qwert qwer asdf asdfg asdfgh asdfghjkl zxcv zxcvbn zxcvbnm yxcvbnm qwertyuiop qwertzuiop qazwsx qazwsxedc
  qaz wsx edc rfv poiuytrewq lkjhgfdsa mnbvcxz abc abcd abcdef abcdefg abcdefgh xyz aaa
  love iloveyou loveyou loveme lover lovely liebe ichliebedich schatz amour amor baby babygirl sweet sweety sweetheart honey
  angel princess prince queen king kingkong star stars superstar sunshine sun moon sky summer sommer winter spring autumn
  fall fruehling herbst january february march april may june july august september october november december januar
  februar maerz juni juli oktober dezember monday tuesday wednesday thursday friday saturday sunday montag dienstag
  mittwoch donnerstag freitag samstag sonntag
  dragon monkey tiger lion bear wolf eagle falcon hawk horse pony dog doggy cat kitty kitten butterfly dolphin shark panda
  chicken bunny rabbit spider snake
  football fussball soccer baseball basketball hockey tennis golf rugby cricket player team champion winner master
  superman batman spiderman ironman hulk marvel starwars yoda vader jedi pokemon pikachu naruto minecraft fortnite mario
  zelda matrix hunter ranger shadow ghost ninja samurai warrior knight wizard magic merlin gandalf phoenix
  computer internet server windows linux apple google facebook amazon microsoft samsung android iphone oracle cisco
  database postgres mysql mongo docker kubernetes cloud network security system service office work company firma business
  money bank gold silver diamond platinum crystal lucky happy freedom peace power hacker secure trust trustno trustnoone
  one two three four five six seven eight nine ten zero eins zwei drei vier fuenf hundert thousand million
  michael michelle jennifer jessica ashley daniel david thomas andrew anthony joshua matthew robert william richard charlie
  george jordan taylor thomas andreas stefan peter martin markus sabine anna maria julia laura sarah lisa nicole
  london paris berlin hamburg muenchen wien zuerich newyork america england germany deutschland france espana italia
  arsenal liverpool chelsea barcelona madrid bayern dortmund juventus
  correct horse battery staple correcthorsebatterystaple
  flower blume rose cookie chocolate banana orange cherry strawberry pepper ginger coffee pizza cheese butter sugar candy
  blue red green black white yellow purple pink blau rot schwarz weiss
  jesus christ god heaven bible faith hope blessed church christmas weihnachten easter ostern halloween
  whatever nothing something everything forever never always remember forgot iforgot mypassword newpassword oldpassword
  thepassword mypass newpass userpass adminpass rootpass passpass passwords family mother father mama papa sister brother
  friend friends bestfriend school student teacher university music guitar rock metal dance party`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

/** Signs that people write for letters. */
const spelled: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '€': 'e',
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ß: 'ss',
}

/** Whether nothing is left of it but one or two everyday words, or one of them over and over. */
export function isGuessable(password: string): boolean {
  const folded = password.toLowerCase()
  const plain = onlyLetters(folded)
  const respelled = onlyLetters([...folded].map((sign) => spelled[sign] ?? sign).join(''))
  const trimmed = onlyLetters(
    [...folded.replace(/^[\d\W_]+|[\d\W_]+$/g, '')].map((sign) => spelled[sign] ?? sign).join(''),
  )
  return [plain, respelled, trimmed].some(isMadeOfWords)
}

const onlyLetters = (text: string) => text.replace(/[^a-z]/g, '')

function isMadeOfWords(letters: string): boolean {
  if (letters === '') return false
  for (let end = 1; end <= letters.length; end++) {
    const first = letters.slice(0, end)
    if (!words.has(first)) continue
    const rest = letters.slice(end)
    if (rest === '' || words.has(rest) || rest.replaceAll(first, '') === '') return true
  }
  return false
}
