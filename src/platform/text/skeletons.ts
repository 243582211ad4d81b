// Written by `node scripts/skeletons.mjs`.

/** Each line: an ASCII character, and the code points drawn like it, in hexadecimal. Source: Unicode confusables (UTS #39). */
export const skeletonLines = String.raw`
! 1c3
& a778
' b4 2b9 2bb 2bc 2bd 2be 2c8 2ca 2cb 2f4 374 384 55a 55d 5f3 7f4 7f5 1fbd 1fbf 1ffd 1ffe 2018 2019 201b 2032 2035 a78c
( 2768 2772 3014 fd3e
) 2769 2773 3015 fd3f
* 66d 204e 2217
+ 16ed
, b8 60d 66b 201a a4f9
- 2d7 6d4 2010 2011 2012 2013 2014 2043 2212 2cba fe58
. 701 702 3002 a4f8 a60e ff61 10a50
/ 1735 2041 2044 2215 2571 27cb 29f8 2cc6 2f03 3033 30ce 31d3 4e3f 1d23a
2 1a7 3e8 a644 a6ef a75a
3 1b7 21c 417 4e0 2ccc a76a a7ab 1d206
4 13ce
5 1bc
6 431 13ee 2cd2
7 1d212
8 222 223 1e8cb
9 2cca a76e
: 2d0 2f8 589 5c3 703 704 16ec 1803 1809 205a 2236 a4fd a789 fe30
< 2c2 2039 276e 1d236
= 1400 2e40 30a0 a4ff
> 2c3 203a 276f 1d237
? 241 294 13ae a6eb
A 391 410 13aa a4ee
B 392 412 13f4 a4d0 a7b4
C 3f9 421 13df 2ca4 a4da 118f2 1f74c
D 13a0 a4d3
E 395 415 13ac 22ff a4f0
F 3dc a4dd a798 1d213
G 50c 13c0 13f3 a4d6
H 397 41d 13bb 2c8e a4e7
J 37f 408 13ab a4d9 a7b2
K 39a 41a 13e6 2c94 a4d7
L 13de 2cd0 a4e1 1d22a
M 39c 3fa 41c 13b7 2c98 a4df
N 39d 2c9a a4e0
O 39f 41e 555 2c9e 3007 a4f3
P 3a1 420 13e2 2ca2 a4d1
R 1a6 13a1 13d2 a4e3 1d216
S 405 54f 13d5 13da a4e2
T 3a4 422 13a2 22a4 27d9 2ca6 a4d4 1f768
U 54d 222a 22c3 a4f4
V 474 13d9 a4e6 1d20d
W 51c 13b3 13d4 a4ea 118ef
X 3a7 425 166d 2573 2cac a4eb a7b3 10322 118ec
Y 3a5 3d2 423 4ae 13a9 13bd 2ca8 a4ec
Z 396 13c3 a4dc 102f5
\ 2216 27cd 29f5 29f9 2f02 31d4 4e36 1d20f 1d23b
^ 2c4 2c6
_ 7fa
a 251 3b1 430 237a
b 184 42c 13cf
c 3f2 441 1d04 2ca5 abaf
d 501 13e7 a4d2
e 435 4bd 212e ab32
f 584 1e9d a799 ab35
g 18d 261 581 1d83
h 4bb 570 13c2
i 131 269 26a 2db 37a 3b9 456 4cf 13a5 1fbe 2373 a647 ab75
j 3f3 458
l 196 1c0 399 406 4c0 5c0 2223 23fd 2c92 a4f2 ffe8 10320 1e8c7
n 578 57c
o 3bf 3c3 43e 585 1d0f 1d11 2c9f ab3d
p 3c1 3f1 440 2374 2ca3
q 51b 563 566
r 433 1d26 2c85 ab47 ab48 ab81
s 1bd 455 a731 abaa
u 28b 3c5 57d 1d1c a79f ab4e ab52
v 3bd 475 1d20 2228 22c1 aba9
w 26f 461 51d 561 1d21 ab83
x d7 445 166e 292b 292c 2a2f
y 263 28f 3b3 443 4af 1d8c 1eff ab5a
z 1d22 ab93
{ 2774 1d114
} 2775
~ 2dc 1fc0 2053 223c
`;
