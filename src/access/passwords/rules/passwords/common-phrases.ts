/** Without spaces and in small letters: what people choose who were told to choose a sentence. */
export const commonPhrases = (
  'correcthorsebatterystaple tobeornottobe tobeornottobethatisthequestion thequickbrownfox ' +
  'thequickbrownfoxjumpsoverthelazydog loremipsumdolorsitamet loremipsum maytheforcebewithyou ' +
  'iamyourfather hastalavistababy winteriscoming onceuponatime happybirthdaytoyou helloworld ' +
  'letitbe letitgo opensesame nevergonnagiveyouup nevergonnaletyoudown livelongandprosper ' +
  'itsnotabugitsafeature thisismypassword thisisapassword thisisasecret mypasswordis mynameis ' +
  'iforgotmypassword changemeplease changethispassword pleaseletmein iloveyou iloveyousomuch ' +
  'ihatepasswords ihatemyjob wecomeinpeace houstonwehaveaproblem keepcalmandcarryon yeswecan ' +
  'onefinedaywearegoing ringoffire bohemianrhapsody stairwaytoheaven highwaytohell ' +
  'ichliebedich daistmeinpasswort meinpasswort meinpasswortist passwortvergessen hallowelt ' +
  'derfruehevogel alleswirdgut guteshochwetter frohesneuesjahr froheweihnachten allesgutezumgeburtstag ' +
  'seinodernichtsein ichbineinberliner wirschaffendas'
).split(' ');

/** Seasons, months, days and greetings, to which people add a year. */
export const commonWords = (
  'spring summer autumn fall winter january february march april may june july august september october november ' +
  'december monday tuesday wednesday thursday friday saturday sunday welcome hello password passphrase secret ' +
  'fruehling frühling sommer herbst januar februar märz maerz mai juni juli oktober dezember montag dienstag ' +
  'mittwoch donnerstag freitag samstag sonntag willkommen hallo passwort kennwort geheim schatz ' +
  'printemps ete automne hiver bonjour motdepasse primavera verano otoño invierno hola contraseña'
).split(' ');
