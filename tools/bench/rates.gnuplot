# The picture of tools/bench/page, of its file data. Both axes are logarithmic, and each line is
# labelled where it ends. Colours are near those of Okabe and Ito, which colour-blind readers tell
# apart, and clear on white and on black.
set terminal svg size 960,380 dynamic font "sans-serif,13" background "white" name "rates"
set output "rates.svg"
set datafile missing "-"
stats "data" index 0 using 1 nooutput name "GPU"
stats "data" index 2 using 1 nooutput name "CPU"
set multiplot layout 1,2 margins 0.05,0.86,0.17,0.86 spacing 0.17,0
set border 3 lc "#888888"
set tics nomirror out tc "#555555"
set grid xtics ytics lc "#dddddd" lt 1
set format x "2^{%.0f}"
set xlabel "keys" offset 0,0.5
set key off
set logscale y 10

set title "NVIDIA H200: 10^9 keys a second"
set xtics 12,4
set xrange [12:GPU_max]
set yrange [0.04:200]
colour(i) = i == 0 ? "#0072b2" : "#d55e00"
name(i, c) = (c == 2 ? "clsort" : "CUB").(i == 0 ? ", u32" : ", u64")
plot for [i=0:1] for [c=2:3] "data" index i using 1:(column(c)) with linespoints lw 2.5 ps 0.4 \
         pt (c == 2 ? 7 : 6) dt c - 1 lc rgb colour(i), \
     for [i=0:1] for [c=2:3] "data" index i \
         using ($1 == GPU_max ? $1 : NaN):(column(c)):(name(i, c)) with labels left \
         offset 0.8,(i == 0 && c == 3 ? -0.3 : i == 1 && c == 2 ? 0.3 : 0) tc rgb colour(i)

set title "Two CPU cores, u32: 10^6 keys a second"
set xtics 12,2
set xrange [12:CPU_max]
set yrange [8:800]
names = "'clsort (PoCL)' 'std::sort' 'std::sort(par)' 'vqsort, one thread'"
colours = "#0072b2 #b0609a #c07000 #009e73"
shifts = "0.3 -0.3 0.3 -0.3"
plot for [i=1:4] "data" index 2 using 1:(column(i + 1)) with linespoints lw 2.5 ps 0.4 \
         pt (i == 1 ? 7 : 6) dt 2 - (i == 1) lc rgb word(colours, i), \
     for [i=1:4] "data" index 2 \
         using ($1 == CPU_max ? $1 : NaN):(column(i + 1)):(word(names, i)) with labels left \
         offset 0.8,real(word(shifts, i)) tc rgb word(colours, i)
