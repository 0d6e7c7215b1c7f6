# The picture of tools/bench/page, of its file data. Colours are those of Okabe and Ito, which
# colour-blind readers tell apart.
set terminal svg size 960,380 dynamic font "sans-serif,13" background "white" name "rates"
set output "rates.svg"
set datafile missing "-"
set multiplot layout 1,2 margins 0.05,0.98,0.17,0.89 spacing 0.08,0
set border 3 lc "#888888"
set tics nomirror out tc "#444444"
set grid ytics lc "#dddddd" lt 1
set format x "2^{%.0f}"
set xlabel "keys" offset 0,0.5
set key top left reverse Left samplen 2 spacing 1.2
set style data linespoints
set title "NVIDIA H200: 10^9 keys a second"
set xtics 12,4
set xrange [12:30.5]
set yrange [0:*]
plot "data" index 0 using 1:2 lc "#0072b2" lw 2.5 pt 7 ps 0.5 title "clsort, u32", \
     "" index 0 using 1:3 lc "#56b4e9" lw 2.5 dt 2 pt 6 ps 0.5 title "CUB, u32", \
     "" index 1 using 1:2 lc "#d55e00" lw 2.5 pt 7 ps 0.5 title "clsort, u64", \
     "" index 1 using 1:3 lc "#e69f00" lw 2.5 dt 2 pt 6 ps 0.5 title "CUB, u64"
set title "Two CPU cores, u32: 10^6 keys a second"
set xtics 12,2
set xrange [11.8:26.2]
set offsets 0,0,graph 0.55,0
plot "data" index 2 using 1:2 lc "#0072b2" lw 2.5 pt 7 ps 0.5 title "clsort (PoCL)", \
     "" index 2 using 1:5 lc "#009e73" lw 2.5 dt 2 pt 6 ps 0.5 title "vqsort, one thread", \
     "" index 2 using 1:4 lc "#e69f00" lw 2.5 dt 2 pt 6 ps 0.5 title "std::sort(par)", \
     "" index 2 using 1:3 lc "#cc79a7" lw 2.5 dt 2 pt 6 ps 0.5 title "std::sort"
