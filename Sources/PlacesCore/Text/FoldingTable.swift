// swift-format-ignore-file
// Made by Sources/locationd/Packaging/places/folding.py from Unicode 14.0.0; not to be edited.

/// Characters beyond ASCII with the letters to which they fold, in the order of their code points.
enum FoldingTable {
  static let text = #"""
    ªa ²2 ³3 µμ ¹1 ºo Àa Áa Âa Ãa Äa Åa Æae Çc Èe Ée Êe Ëe Ìi Íi Îi Ïi Ðd Ñn
    Òo Óo Ôo Õo Öo Øo Ùu Úu Ûu Üu Ýy Þth ßss àa áa âa ãa äa åa æae çc èe ée êe
    ëe ìi íi îi ïi ðd ñn òo óo ôo õo öo øo ùu úu ûu üu ýy þth ÿy Āa āa Ăa ăa
    Ąa ąa Ćc ćc Ĉc ĉc Ċc ċc Čc čc Ďd ďd Đd đd Ēe ēe Ĕe ĕe Ėe ėe Ęe ęe Ěe ěe
    Ĝg ĝg Ğg ğg Ġg ġg Ģg ģg Ĥh ĥh Ħh ħh Ĩi ĩi Īi īi Ĭi ĭi Įi įi İi ıi Ĳij ĳij
    Ĵj ĵj Ķk ķk Ĺl ĺl Ļl ļl Ľl ľl Ŀl· ŀl· Łl łl Ńn ńn Ņn ņn Ňn ňn ŉn Ŋn ŋn Ōo
    ōo Ŏo ŏo Őo őo Œoe œoe Ŕr ŕr Ŗr ŗr Řr řr Śs śs Ŝs ŝs Şs şs Šs šs Ţt ţt Ťt
    ťt Ŧt ŧt Ũu ũu Ūu ūu Ŭu ŭu Ůu ůu Űu űu Ųu ųu Ŵw ŵw Ŷy ŷy Ÿy Źz źz Żz żz
    Žz žz ſs Ɓb Ƃƃ Ƅƅ Ɔɔ Ƈƈ Ɖɖ Ɗd Ƌƌ Ǝǝ Əe Ɛɛ Ƒƒ Ɠɠ Ɣɣ Ɩɩ Ɨɨ Ƙk ƙk Ɯɯ Ɲɲ Ɵɵ
    Ơo ơo Ƣƣ Ƥƥ Ʀʀ Ƨƨ Ʃʃ Ƭƭ Ʈʈ Ưu ưu Ʊʊ Ʋʋ Ƴƴ Ƶƶ Ʒʒ Ƹƹ Ƽƽ Ǆdz ǅdz ǆdz Ǉlj ǈlj ǉlj
    Ǌnj ǋnj ǌnj Ǎa ǎa Ǐi ǐi Ǒo ǒo Ǔu ǔu Ǖu ǖu Ǘu ǘu Ǚu ǚu Ǜu ǜu Ǟa ǟa Ǡa ǡa Ǣae
    ǣae Ǥǥ Ǧg ǧg Ǩk ǩk Ǫo ǫo Ǭo ǭo Ǯʒ ǯʒ ǰj Ǳdz ǲdz ǳdz Ǵg ǵg Ƕƕ Ƿƿ Ǹn ǹn Ǻa ǻa
    Ǽae ǽae Ǿo ǿo Ȁa ȁa Ȃa ȃa Ȅe ȅe Ȇe ȇe Ȉi ȉi Ȋi ȋi Ȍo ȍo Ȏo ȏo Ȑr ȑr Ȓr ȓr
    Ȕu ȕu Ȗu ȗu Șs șs Țt țt Ȝȝ Ȟh ȟh Ƞƞ Ȣȣ Ȥȥ Ȧa ȧa Ȩe ȩe Ȫo ȫo Ȭo ȭo Ȯo ȯo
    Ȱo ȱo Ȳy ȳy Ⱥⱥ Ȼȼ Ƚƚ Ⱦⱦ Ɂɂ Ƀƀ Ʉʉ Ʌʌ Ɇɇ Ɉɉ Ɋɋ Ɍɍ Ɏɏ ɓb ɗd əe ʰh ʱɦ ʲj ʳr
    ʴɹ ʵɻ ʶʁ ʷw ʸy ʻ ʼ Ͱͱ Ͳͳ ʹʹ Ͷͷ ͺ ι Ϳϳ Άα Έε Ήη Ίι Όο Ύυ Ώω ΐι Αα Ββ Γγ
    Δδ Εε Ζζ Ηη Θθ Ιι Κκ Λλ Μμ Νν Ξξ Οο Ππ Ρρ Σσ Ττ Υυ Φφ Χχ Ψψ Ωω Ϊι Ϋυ άα
    έε ήη ίι ΰυ ςσ ϊι ϋυ όο ύυ ώω Ϗϗ ϐβ ϑθ ϒυ ϓυ ϔυ ϕφ ϖπ Ϙϙ Ϛϛ Ϝϝ Ϟϟ Ϡϡ Ϣϣ
    Ϥϥ Ϧϧ Ϩϩ Ϫϫ Ϭϭ Ϯϯ ϰκ ϱρ ϲσ ϴθ ϵε Ϸϸ Ϲσ Ϻϻ Ͻͻ Ͼͼ Ͽͽ Ѐе Ёе Ђђ Ѓг Єє Ѕѕ Іі
    Їі Јј Љљ Њњ Ћћ Ќк Ѝи Ўу Џџ Аа Бб Вв Гг Дд Ее Жж Зз Ии Йи Кк Лл Мм Нн Оо
    Пп Рр Сс Тт Уу Фф Хх Цц Чч Шш Щщ Ъъ Ыы Ьь Ээ Юю Яя йи ѐе ёе ѓг їі ќк ѝи
    ўу Ѡѡ Ѣѣ Ѥѥ Ѧѧ Ѩѩ Ѫѫ Ѭѭ Ѯѯ Ѱѱ Ѳѳ Ѵѵ Ѷѵ ѷѵ Ѹѹ Ѻѻ Ѽѽ Ѿѿ Ҁҁ Ҋҋ Ҍҍ Ҏҏ Ґґ Ғғ
    Ҕҕ Җҗ Ҙҙ Ққ Ҝҝ Ҟҟ Ҡҡ Ңң Ҥҥ Ҧҧ Ҩҩ Ҫҫ Ҭҭ Үү Ұұ Ҳҳ Ҵҵ Ҷҷ Ҹҹ Һһ Ҽҽ Ҿҿ Ӏӏ Ӂж
    ӂж Ӄӄ Ӆӆ Ӈӈ Ӊӊ Ӌӌ Ӎӎ Ӑа ӑа Ӓа ӓа Ӕӕ Ӗе ӗе Әә Ӛә ӛә Ӝж ӝж Ӟз ӟз Ӡӡ Ӣи ӣи
    Ӥи ӥи Ӧо ӧо Өө Ӫө ӫө Ӭэ ӭэ Ӯу ӯу Ӱу ӱу Ӳу ӳу Ӵч ӵч Ӷӷ Ӹы ӹы Ӻӻ Ӽӽ Ӿӿ Ԁԁ
    Ԃԃ Ԅԅ Ԇԇ Ԉԉ Ԋԋ Ԍԍ Ԏԏ Ԑԑ Ԓԓ Ԕԕ Ԗԗ Ԙԙ Ԛԛ Ԝԝ Ԟԟ Ԡԡ Ԣԣ Ԥԥ Ԧԧ Ԩԩ Ԫԫ Ԭԭ Ԯԯ Աա
    Բբ Գգ Դդ Եե Զզ Էէ Ըը Թթ Ժժ Իի Լլ Խխ Ծծ Կկ Հհ Ձձ Ղղ Ճճ Մմ Յյ Նն Շշ Ոո Չչ
    Պպ Ջջ Ռռ Սս Վվ Տտ Րր Ցց Ււ Փփ Քք Օօ Ֆֆ ևեւ Ḁa ḁa Ḃb ḃb Ḅb ḅb Ḇb ḇb Ḉc ḉc
    Ḋd ḋd Ḍd ḍd Ḏd ḏd Ḑd ḑd Ḓd ḓd Ḕe ḕe Ḗe ḗe Ḙe ḙe Ḛe ḛe Ḝe ḝe Ḟf ḟf Ḡg ḡg
    Ḣh ḣh Ḥh ḥh Ḧh ḧh Ḩh ḩh Ḫh ḫh Ḭi ḭi Ḯi ḯi Ḱk ḱk Ḳk ḳk Ḵk ḵk Ḷl ḷl Ḹl ḹl
    Ḻl ḻl Ḽl ḽl Ḿm ḿm Ṁm ṁm Ṃm ṃm Ṅn ṅn Ṇn ṇn Ṉn ṉn Ṋn ṋn Ṍo ṍo Ṏo ṏo Ṑo ṑo
    Ṓo ṓo Ṕp ṕp Ṗp ṗp Ṙr ṙr Ṛr ṛr Ṝr ṝr Ṟr ṟr Ṡs ṡs Ṣs ṣs Ṥs ṥs Ṧs ṧs Ṩs ṩs
    Ṫt ṫt Ṭt ṭt Ṯt ṯt Ṱt ṱt Ṳu ṳu Ṵu ṵu Ṷu ṷu Ṹu ṹu Ṻu ṻu Ṽv ṽv Ṿv ṿv Ẁw ẁw
    Ẃw ẃw Ẅw ẅw Ẇw ẇw Ẉw ẉw Ẋx ẋx Ẍx ẍx Ẏy ẏy Ẑz ẑz Ẓz ẓz Ẕz ẕz ẖh ẗt ẘw ẙy
    ẚaʾ ẛs ẞss Ạa ạa Ảa ảa Ấa ấa Ầa ầa Ẩa ẩa Ẫa ẫa Ậa ậa Ắa ắa Ằa ằa Ẳa ẳa Ẵa
    ẵa Ặa ặa Ẹe ẹe Ẻe ẻe Ẽe ẽe Ếe ếe Ềe ềe Ểe ểe Ễe ễe Ệe ệe Ỉi ỉi Ịi ịi Ọo
    ọo Ỏo ỏo Ốo ốo Ồo ồo Ổo ổo Ỗo ỗo Ộo ộo Ớo ớo Ờo ờo Ởo ởo Ỡo ỡo Ợo ợo Ụu
    ụu Ủu ủu Ứu ứu Ừu ừu Ửu ửu Ữu ữu Ựu ựu Ỳy ỳy Ỵy ỵy Ỷy ỷy Ỹy ỹy Ỻỻ Ỽỽ Ỿỿ
    ἀα ἁα ἂα ἃα ἄα ἅα ἆα ἇα Ἀα Ἁα Ἂα Ἃα Ἄα Ἅα Ἆα Ἇα ἐε ἑε ἒε ἓε ἔε ἕε Ἐε Ἑε
    Ἒε Ἓε Ἔε Ἕε ἠη ἡη ἢη ἣη ἤη ἥη ἦη ἧη Ἠη Ἡη Ἢη Ἣη Ἤη Ἥη Ἦη Ἧη ἰι ἱι ἲι ἳι
    ἴι ἵι ἶι ἷι Ἰι Ἱι Ἲι Ἳι Ἴι Ἵι Ἶι Ἷι ὀο ὁο ὂο ὃο ὄο ὅο Ὀο Ὁο Ὂο Ὃο Ὄο Ὅο
    ὐυ ὑυ ὒυ ὓυ ὔυ ὕυ ὖυ ὗυ Ὑυ Ὓυ Ὕυ Ὗυ ὠω ὡω ὢω ὣω ὤω ὥω ὦω ὧω Ὠω Ὡω Ὢω Ὣω
    Ὤω Ὥω Ὦω Ὧω ὰα άα ὲε έε ὴη ήη ὶι ίι ὸο όο ὺυ ύυ ὼω ώω ᾀαι ᾁαι ᾂαι ᾃαι ᾄαι ᾅαι
    ᾆαι ᾇαι ᾈαι ᾉαι ᾊαι ᾋαι ᾌαι ᾍαι ᾎαι ᾏαι ᾐηι ᾑηι ᾒηι ᾓηι ᾔηι ᾕηι ᾖηι ᾗηι ᾘηι ᾙηι ᾚηι ᾛηι ᾜηι ᾝηι
    ᾞηι ᾟηι ᾠωι ᾡωι ᾢωι ᾣωι ᾤωι ᾥωι ᾦωι ᾧωι ᾨωι ᾩωι ᾪωι ᾫωι ᾬωι ᾭωι ᾮωι ᾯωι ᾰα ᾱα ᾲαι ᾳαι ᾴαι ᾶα
    ᾷαι Ᾰα Ᾱα Ὰα Άα ᾼαι ιι ῂηι ῃηι ῄηι ῆη ῇηι Ὲε Έε Ὴη Ήη ῌηι ῐι ῑι ῒι ΐι ῖι ῗι Ῐι
    Ῑι Ὶι Ίι ῠυ ῡυ ῢυ ΰυ ῤρ ῥρ ῦυ ῧυ Ῠυ Ῡυ Ὺυ Ύυ Ῥρ ῲωι ῳωι ῴωι ῶω ῷωι Ὸο Όο Ὼω
    Ώω ῼωι ﬀff ﬁfi ﬂfl ﬃffi ﬄffl ﬅst ﬆst ０0 １1 ２2 ３3 ４4 ５5 ６6 ７7 ８8 ９9 Ａa Ｂb Ｃc Ｄd Ｅe
    Ｆf Ｇg Ｈh Ｉi Ｊj Ｋk Ｌl Ｍm Ｎn Ｏo Ｐp Ｑq Ｒr Ｓs Ｔt Ｕu Ｖv Ｗw Ｘx Ｙy Ｚz ａa ｂb ｃc
    ｄd ｅe ｆf ｇg ｈh ｉi ｊj ｋk ｌl ｍm ｎn ｏo ｐp ｑq ｒr ｓs ｔt ｕu ｖv ｗw ｘx ｙy ｚz
    """#
}
