/* tuning_broken.h: texts of tuning with a fault. */
#ifndef TESTS_TUNING_BROKEN_H
#define TESTS_TUNING_BROKEN_H

static const struct {
    const char *text;
    unsigned line;
    const char *says; /* a part of the sentence */
} broken[] = {
    {"nonsense", 1, "no kind of row 'nonsense'"},
    {"# fine\n\n  \t\n= = =", 4, "no kind of row '='"},
    {"Part key=4 min=1", 1, "'Part'"},
    {"sweep key=4 min=1", 1, "'sweep' is called 'onesweep' now"},
    {"\nserial", 2, "'serial' is called 'cpu' now"},
    {"part min=1", 1, "'part' is called 'digits' now"},
    {"quick min=1", 1, "'quick' is called 'splitters' now"},
    {"digits patience=1", 1, "'patience' is called 'spin_limit' now"},
    {"digits", 1, "sets nothing"},
    {"digits key=4 payload=0", 1, "sets nothing"},
    {"digits min", 1, "'min' is not of the form name=value"},
    {"digits min = 5", 1, "'min' is not of the form name=value"},
    {"digits tile_group=64", 1, "a row 'digits' has no 'tile_group'"},
    {"digits =64", 1, "has no ''"},
    {"digits item=4 min=1", 1, "has no 'item'"},
    {"general key=4 rank_max=1", 1, "has no 'key'"},
    {"cpu item=4 run_bytes=4096", 1, "has no 'item'"},
    {"digits min=", 1, "not ''"},
    {"digits min=x", 1, "not 'x'"},
    {"digits min=-1", 1, "not '-1'"},
    {"digits min=+1", 1, "not '+1'"},
    {"digits min=0x10", 1, "not '0x10'"},
    {"digits min=1e6", 1, "not '1e6'"},
    {"digits min=1.5", 1, "not '1.5'"},
    {"digits min=2^", 1, "not '2^'"},
    {"digits min=2^64", 1, "not '2^64'"},
    {"digits min=2^9999999999999999999999", 1, "not '2^99"},
    {"digits min=3^4", 1, "not '3^4'"},
    {"digits min=18446744073709551616", 1, "not '18446744073709551616'"},
    {"digits min=18446744073709551615", 1, "min is 0 to 281474976710656"},
    {"digits min=4 min=4", 1, "min is there twice"},
    {"digits key=4 key=4 min=4", 1, "key is there twice"},
    {"digits key=5 min=4", 1, "key is 4 or 8 here"},
    {"digits key= min=4", 1, "key is 4 or 8 here"},
    {"digits payload=16 min=4", 1, "payload is 0, 4 or 8 here"},
    {"general item=4294967300 rank_max=1", 1, "item is 4, 8 or 16 here"},
    {"\r\ndigits scatter_group=300\r\n", 2, "scatter_group is a power of two, not 300"},
    {"digits scatter_group=0", 1, "scatter_group is 16 to 4096, not 0"},
    {"digits scatter_group=8192", 1, "not 8192"},
    {"digits scatter_group=4294967360", 1, "not 4294967360"}, /* 64 in 32 bits */
    {"digits leaf_items=65", 1, "leaf_items is 2 to 64"},
    {"digits votes=2", 1, "votes is 0 to 1"},
    {"general tile_items=1", 1, "tile_items is 2 to 32"},
    {"general tile_items=12", 1, "power of two"},
    {"general bank_bytes=96", 1, "power of two"},
    {"general radix_bits=9", 1, "radix_bits is 1 to 8"},
    {"general radix_blocks=0", 1, "radix_blocks is 1 to"},
    {"merge items=0", 1, "items is 2 to"},
    {"cpu digit_bits=0", 1, "digit_bits is 4 to"},
    {"strings splitters=0", 1, "splitters is 1 to"},
    {"host with_sorter=2^40", 1, "with_sorter is 0 to"},
    {"device", 1, "followed by"},
    {"device   # none", 1, "followed by"},
    {"device no such\ndigits scatter_group=3", 2, "scatter_group"}, /* checked all the same */
    {"digits min=1\x01", 1, "no text"},
};

#endif
